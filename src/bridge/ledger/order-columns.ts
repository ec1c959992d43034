import { z } from 'zod';
import { taxRecord } from '../../contract/record.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { jsonOf } from '../../platform/postgres/read-rows.ts';
import type { Doubted, Receipt } from '../order/decisions/claim.ts';
import type { OrderState } from '../order/decisions/order-state.ts';
import type { Settled } from '../order/decisions/settled.ts';
import type { OpenStep, Step } from '../order/decisions/step.ts';
import type { Facts } from '../order/facts/facts.ts';
import type { StoredCode } from '../order/facts/failure.ts';
import type { Frozen } from '../order/facts/settings.ts';
import { jsonText } from './json-columns.ts';

// Columns of `orders` that are more than text and numbers.
const text = z.string();

/** Of any release: an order that a later one in review is still claimed and listed by this one. */
export const storedCode = z.custom<StoredCode>((code) => typeof code === 'string');

export const orderState = jsonOf<OrderState>()(z.enum(['waiting', 'queued', 'recorded', 'removed', 'review', 'settled', 'unconfirmed', 'ignored']));

export const storedMapping = jsonOf<Frozen>()(
  z.object({
    vatGroups: z.record(text, text),
    payments: z.record(text, z.object({ paymentType: text, paymentProcessorName: text.exactOptional() })),
    convertTo: z.enum(['BGN', 'EUR']).nullable(),
    pricesContainVat: text.nullable(),
    giftCards: z.enum(['ignore', 'record']).nullable(),
    giftCardsTakenOff: z.boolean().nullable(),
    paidStatus: text.exactOptional(),
  }),
);

export const receiptState = jsonOf<Receipt>()(
  z.discriminatedUnion('state', [
    z.object({ state: z.literal('due'), complianceId: text, since: text, seq: z.int().nullable() }),
    z.object({ state: z.literal('got'), complianceId: text, at: text, id: text.nullable() }),
    z.object({ state: z.literal('refused'), complianceId: text, at: text, detail: text }),
  ]),
);

const step = { seq: z.int(), destinationId: text, uncertain: z.boolean() };

export const storedDoubt = jsonOf<Doubted>()(z.object({ complianceId: text, destinationId: text }));

const encoding = z.object({ amounts: z.enum(['decimal', 'minor']), vatRate: z.enum(['percent', 'fraction']) });
const ofCreate = { encoding: encoding.exactOptional(), buyer: z.enum(['none', 'kept', 'erased']).exactOptional() };

/** `since` is absent until a 404 that the service itself may not have given. */
export const storedStep = jsonOf<OpenStep>()(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('create'), ...step, record: taxRecord, idempotencyKey: text, receipt: z.boolean(), ...ofCreate }),
    z.object({ kind: z.literal('delete'), ...step, complianceId: text, since: text.exactOptional() }),
  ]),
);

export const storedWord = jsonOf<Settled>()(
  z.object({
    how: z.enum(['recorded', 'not-a-sale', 'elsewhere', 'kept', 'removed']),
    ...{ revision: z.int(), complianceId: text.nullable(), code: storedCode, who: text, why: text, at: text },
  }),
);

/**
 * SQL of the open step of an order (`order`: the name of its row). The record of a create is only in the journal. Of the buyer that it was
 * sent with it has the kind, never the sealed text.
 */
export const openStepOf = (order: string): string => `case when ${order}.open_step is not null then jsonb_build_object('record',
  (select s.record from steps s where s.order_ref = ${order}.id and s.seq = (${order}.open_step ->> 'seq')::int)) || ${order}.open_step - 'sentWith' end`;

/** SQL of a step as it is written over the one of `order` that is open: with whom that one was sent, only the ledger says. */
export const stepOver = (step: string, order: string): string => `case when ${order}.open_step ->> 'seq' = ${step} ->> 'seq'
  then ${step} || jsonb_strip_nulls(jsonb_build_object('buyer', ${order}.open_step -> 'buyer', 'sentWith', ${order}.open_step -> 'sentWith')) else ${step} end`;

/** A step that was journaled, as its order keeps it: the record is in the journal, and with whom it was sent, the ledger knows better. */
export function withoutRecord(step: OpenStep | Step): Omit<Step, 'record' | 'buyer'> {
  if (step.kind !== 'create') return step;
  const { record: _journaled, buyer: _ofLedger, ...rest } = step;
  return rest;
}

// What a later release adds stays in an order's facts when this one merges into them; what not every order has is optional.

const draftLine = z.looseObject({
  id: text,
  kind: z.enum(['item', 'shipping', 'fee', 'tip', 'duty']),
  name: text,
  quantity: text,
  gross: text,
  discount: text,
  vatRate: text,
  giftCard: z.literal(true).exactOptional(),
  partOf: text.exactOptional(),
});

const mention = z.looseObject({ id: text, amount: text, settled: text.exactOptional() });

const snapshot = z.looseObject({
  updatedAt: text,
  rank: z.number(),
  status: text,
  lifecycle: z.enum(['draft', 'live', 'cancelled', 'trashed']),
  payment: z.enum(['unpaid', 'on-delivery', 'outstanding', 'paid']),
  test: z.boolean(),
  paidAt: text.nullable(),
  placedAt: text,
  number: text,
  createdAt: text,
  currency: text,
  gateways: z.array(text),
  transactionId: text.nullable(),
  lines: z.array(draftLine),
  total: text,
  vat: text.nullable().exactOptional(),
  kept: text.exactOptional(),
  otherwise: z.array(z.looseObject({ lines: z.array(draftLine), total: text, refunds: z.array(mention) })).exactOptional(),
  mayBeOff: text.exactOptional(),
  roundedTo: text.exactOptional(),
  owed: text.exactOptional(),
  paidByGiftCard: z.literal(true).exactOptional(),
  onItsWay: z.literal(true).exactOptional(),
  deliveredAt: text.exactOptional(),
  identity: text.exactOptional(),
  readAt: text.exactOptional(),
  exact: z.literal(true).exactOptional(),
  refunds: z.array(mention).nullable(),
  problems: z.array(z.looseObject({ code: storedCode, detail: text })),
  digest: text,
});

const refund = z.looseObject({
  id: text,
  at: text,
  amount: text.nullable(),
  transactions: z.array(text),
  lines: z.array(z.looseObject({ lineId: text, quantity: text, amount: text })).nullable(),
  alone: z.literal(true).exactOptional(),
});

const transaction = z.looseObject({
  id: text,
  kind: z.enum(['charge', 'refund', 'other']),
  status: z.enum(['pending', 'success', 'failure', 'error']),
  gateway: text,
  amount: text,
  reference: text.nullable(),
  at: text,
  currency: text.exactOptional(),
  change: z.literal(true).exactOptional(),
  giftCard: z.enum(['charge', 'refund']).exactOptional(),
});

/** An order's facts as the database stores them: without the customer, which has a separate table. */
export const storedFacts = jsonOf<Omit<Facts, 'customer'>>()(
  z.looseObject({
    snapshot: snapshot.nullable(),
    snapshotSeenAt: text.nullable(),
    paidSeenAt: text.nullable(),
    paidAt: text.nullable(),
    deletedAt: text.nullable(),
    restoredAt: text.nullable(),
    refunds: z.record(text, refund),
    transactions: z.record(text, transaction),
    changedAt: text.exactOptional(),
    listLengths: z.record(text, text).exactOptional(),
    withdrawn: z.record(text, text).exactOptional(),
    identities: z.array(text).exactOptional(),
  }),
);

/** What an amount of money looks like; what looks otherwise has no number in its column. */
const AMOUNT = /^-?[0-9]{1,20}([.][0-9]{1,10})?$/;

/**
 * The facts of an order, and the columns of its row that repeat some of them: what lists, sums and hot statements read without the facts.
 * `sold_at`: when it was paid, or else placed, ISO in UTC; `total`: decimal text, what the customer paid or has to pay; `delivered_at`: ISO.
 */
export function factColumns(facts: Omit<Facts, 'customer'>) {
  const { snapshot, paidAt } = facts;
  const { number = null, currency = null, deliveredAt = null } = snapshot ?? {};
  return {
    facts,
    number,
    sold_at: snapshot?.paidAt ?? paidAt ?? snapshot?.placedAt ?? null,
    total: snapshot !== null && AMOUNT.test(snapshot.total) ? snapshot.total : null,
    currency,
    delivered_at: deliveredAt,
  };
}

/** The columns of `factColumns` that are in the row of the order. */
const NAMES = ['number', 'sold_at', 'total', 'currency', 'delivered_at'];

/** Their list, their list of definitions for a row `x` of JSON, with the facts, and what sets those of a row of orders to those of `x`. */
export const FACT_COLUMNS = NAMES.join(', ');
export const FACTS_OF_JSON = 'facts jsonb, number text, sold_at text, total numeric, currency text, delivered_at text';
export const SET_FACT_COLUMNS = NAMES.map((name) => `${name} = x.${name}`).join(', ');

const WRITE = `with x as (select * from jsonb_to_record($2) as x(${FACTS_OF_JSON})),
    f as (update order_facts f set facts = x.facts from x where f.order_ref = $1)
  update orders o set ${SET_FACT_COLUMNS}, updated_at = now() from x where o.id = $1`;

/** Writes an order's facts. Whoever does has locked the row of the order: who locks it next reads them with a statement of its own, as they are then. */
export async function writeFacts(tx: Queryable, id: number, facts: Omit<Facts, 'customer'>): Promise<void> {
  await tx.query(WRITE, [id, jsonText(factColumns(facts))]);
}

/** The column of `reviewRevision`. */
export const REVIEW_REVISION = 'review_revision';

/** Takes an order from the worker that has it: what that one writes afterwards comes as a late reply. */
export const TAKEN = 'fence = fence + 1, lease_until = null, updated_at = now()';

/** Has an order decided anew, from its current record. */
export const REEVALUATED = `state = 'queued', recorded_revision = least(recorded_revision, revision - 1), ${REVIEW_REVISION} = least(${REVIEW_REVISION}, revision - 1),
  due_at = now(), dirty_since = coalesce(dirty_since, now())`;

/** Clears the question to a person. */
export const CLEARED = 'review_code = null, review_detail = null';
