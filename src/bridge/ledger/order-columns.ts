import { z } from 'zod';
import { taxRecord } from '../../contract/record.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { jsonOf, type ReadEach, readEach, readOne, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Claim, CurrentRecord, Receipt, UncertainRecord } from '../order/decisions/claim.ts';
import type { OrderState } from '../order/decisions/order-state.ts';
import type { CreateStep, OpenStep, Step } from '../order/decisions/step.ts';
import { isContentKnown, type Resolution } from '../order/decisions/wanted.ts';
import type { Facts } from '../order/facts/facts.ts';
import type { StoredCode } from '../order/facts/failure.ts';
import type { Frozen } from '../order/facts/settings.ts';
import { buyerColumn, type WithBuyer, withBuyers } from './buyers.ts';
import { jsonText } from './json-columns.ts';

// Columns of `orders` that are more than text and numbers.
const text = z.string();

/** Of any release: an order that a later one in review is still claimed and listed by this one. */
export const storedCode = z.custom<StoredCode>((code) => typeof code === 'string');

export const orderState = jsonOf<OrderState>()(z.enum(['waiting', 'queued', 'recorded', 'removed', 'review', 'resolved', 'unconfirmed', 'ignored']));

export const storedMapping = jsonOf<Frozen>()(
  z.object({
    vatGroups: z.record(text, text),
    payments: z.record(text, z.object({ paymentType: text, paymentProcessorName: text.exactOptional() })),
    convertTo: z.enum(['BGN', 'EUR']).nullable(),
    pricesContainVat: text.nullable(),
    giftCards: z.enum(['ignore', 'record']).nullable(),
    giftCardsDeducted: z.boolean().nullable(),
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

const storedDoubt = jsonOf<UncertainRecord>()(z.object({ complianceId: text, destinationId: text }));

const encoding = z.object({ amounts: z.enum(['decimal', 'minor']), vatRate: z.enum(['percent', 'fraction']) });
const ofCreate = { encoding: encoding.exactOptional(), buyer: z.enum(['none', 'kept', 'erased']).exactOptional() };

/** `since` is absent until a 404 that the service itself may not have given. */
export const storedStep = jsonOf<OpenStep>()(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('create'), ...step, record: taxRecord, idempotencyKey: text, receipt: z.boolean(), ...ofCreate }),
    z.object({ kind: z.literal('delete'), ...step, complianceId: text, since: text.exactOptional() }),
  ]),
);

export const storedResolution = jsonOf<Resolution>()(
  z.object({
    how: z.enum(['recorded', 'not-a-sale', 'elsewhere', 'kept', 'removed']),
    ...{ revision: z.int(), complianceId: text.nullable(), code: storedCode.nullable(), who: text, why: text, at: text },
  }),
);

/**
 * SQL of the open step of an order (`order`: the name of its row). The record of a create is only in the journal. Of the buyer that it was
 * sent with it has the kind, never the sealed text.
 */
export const openStepOf = (order: string): string => `case when ${order}.open_step is not null then jsonb_build_object('record',
  (select s.record from steps s where s.order_ref = ${order}.id and s.seq = (${order}.open_step ->> 'seq')::int)) || ${order}.open_step - 'sentWith' end`;

/** SQL of a record of an order: one that a step made is only in the journal. */
export const recordOf = (order: string, column: 'record' | 'previous' = 'record'): string => `case jsonb_typeof(${order}.${column})
  when 'number' then (select s.record from steps s where s.order_ref = ${order}.id and s.seq = ${order}.${column}::int) else ${order}.${column} end`;

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

const reference = z.looseObject({ id: text, amount: text, deducted: text.exactOptional() });

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
  otherwise: z.array(z.looseObject({ lines: z.array(draftLine), total: text, refunds: z.array(reference) })).exactOptional(),
  mayBeOff: text.exactOptional(),
  roundedTo: text.exactOptional(),
  owed: text.exactOptional(),
  paidByGiftCard: z.literal(true).exactOptional(),
  onItsWay: z.literal(true).exactOptional(),
  deliveredAt: text.exactOptional(),
  identity: text.exactOptional(),
  readAt: text.exactOptional(),
  exact: z.literal(true).exactOptional(),
  refunds: z.array(reference).nullable(),
  problems: z.array(z.looseObject({ code: storedCode, detail: text })),
  digest: text,
});

const refund = z.looseObject({
  id: text,
  at: text,
  amount: text.nullable(),
  transactions: z.array(text),
  lines: z.array(z.looseObject({ lineId: text, quantity: text, amount: text, rate: text.exactOptional() })).nullable(),
  version: text.exactOptional(),
  listed: text.exactOptional(),
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
    deletedOn: text.exactOptional(),
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

/** Writes an order's facts. Anyone who does has locked the row of the order: who locks it next reads them with a statement of its own, as they are then. */
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

export const claimRow = z.object({
  id: z.int(),
  shop_id: z.string(),
  platform: z.string(),
  store: z.string(),
  order_id: z.string(),
  platform_id: z.string().nullable(),
  connection_id: z.string(),
  fence: z.int(),
  facts: storedFacts,
  customer: buyerColumn,
  erased: z.boolean(),
  revision: z.int(),
  recorded_revision: z.int(),
  review_revision: z.int(),
  state: orderState,
  backfilled: z.boolean(),
  mapping: storedMapping.nullable(),
  record: taxRecord.nullable(),
  compliance_id: z.string().nullable(),
  record_destination: z.string().nullable(),
  receipt: receiptState.nullable(),
  previous: taxRecord.nullable(),
  uncertain: storedDoubt.nullable(),
  review_code: storedCode.nullable(),
  review_detail: z.string().nullable(),
  resolution: storedResolution.nullable(),
  open_step: storedStep.nullable(),
  step_seq: z.int(),
  attempts: z.int(),
  dirty_since: z.string().nullable(),
});
export type ClaimedRow = WithBuyer<z.output<typeof claimRow>>;

// An order whose record is lost would look as if it was never recorded, and be recorded again.
const wholeClaim = claimRow.refine((row) => row.compliance_id === null || row.record !== null, {
  path: ['record'],
  params: { what: 'the step that made it is missing, and with it what is recorded; restore the table steps' },
});
const claimedRows = rowsOf('orders', wholeClaim);
const factsRow = rowsOf('orders', claimRow.pick({ id: true, facts: true, customer: true, erased: true }));

const OWN = `id shop_id platform store order_id platform_id connection_id fence revision recorded_revision state backfilled mapping compliance_id
  record_destination receipt uncertain review_code review_detail resolution step_seq attempts dirty_since`;

/** What a claim reads of an order. */
const COLUMNS = [
  ...OWN.split(/\s+/).map((column) => `o.${column}`),
  `${recordOf('o')} as record, ${recordOf('o', 'previous')} as previous`,
  ...[`o.${REVIEW_REVISION} as review_revision`, 'f.facts', `${openStepOf('o')} as open_step`, 'c.data as customer', 'c.erased_at is not null as erased'],
].join(', ');

/** Claimed orders, by id and fence. Anyone who reads them has taken or locked them in an earlier statement: the rows of all tables are as they were then, or newer. */
export async function readClaimed(db: Queryable, taken: readonly { id: number; fence: number }[]): Promise<ReadEach<ClaimedRow>> {
  const fences = taken.map(({ id, fence }) => ({ id, fence }));
  const each = await readEach(db, withBuyers(db, claimedRows, { waits: true }), {
    name: 'claimed',
    text: `select ${COLUMNS} from json_to_recordset($1::json) as x(id bigint, fence int) join orders o on o.id = x.id and o.fence = x.fence
      join order_facts f on f.order_ref = o.id left join customers c on c.order_ref = o.id`,
    values: [JSON.stringify(fences)],
  });
  if (each.unreadable.length > 0) await db.query(PUT_OFF, [each.unreadable.map(({ id }) => id), JSON.stringify(fences)]);
  return each;
}

/** Nobody waits for the end of a lease under which nothing is done: soon this process may read it, or another. One that was claimed again since is left. */
const PUT_OFF = `update orders o set lease_until = null, due_at = greatest(o.due_at, now() + interval '5 s')
  from json_to_recordset($2::json) as x(id bigint, fence int) where o.id = any($1) and o.id = x.id and o.fence = x.fence`;

/** The facts of an order whose row is locked. */
export async function readFacts(tx: Queryable, id: number): Promise<Facts> {
  const row = await readOne(tx, withBuyers(tx, factsRow, { waits: true }), {
    text: 'select f.order_ref as id, f.facts, c.data as customer, c.erased_at is not null as erased from order_facts f left join customers c using (order_ref) where f.order_ref = $1',
    values: [id],
  });
  return { ...row.facts, customer: row.customer };
}

export function toClaim(row: ClaimedRow): Claim {
  return {
    id: row.id,
    key: { shopId: row.shop_id, platform: row.platform, store: row.store, orderId: row.order_id },
    platformId: row.platform_id ?? row.order_id,
    connectionId: row.connection_id,
    fence: row.fence,
    facts: { ...row.facts, customer: row.customer },
    revision: row.revision,
    recordedRevision: row.recorded_revision,
    reviewRevision: row.review_revision,
    state: row.state,
    backfilled: row.backfilled,
    mapping: row.mapping,
    current: currentOf(row),
    receipt: row.receipt,
    // What nobody could read can't be put back.
    previous: row.previous !== null && isContentKnown(row.previous) ? row.previous : null,
    uncertain: row.uncertain,
    review: row.review_code === null ? null : { code: row.review_code, detail: row.review_detail ?? '' },
    resolution: row.resolution,
    // Found open at a claim: its sender died or lost the reply.
    openStep: row.open_step === null ? null : { ...row.open_step, uncertain: true, ...sentUnopened(row) },
    stepSeq: row.step_seq,
    attempts: row.attempts,
    dirtySince: row.dirty_since,
  };
}

/** Nobody knows any more with which buyer an open create was sent, if that one is still the order's, and does not open. */
function sentUnopened({ open_step: step, customer }: ClaimedRow): Pick<CreateStep, 'buyer'> {
  return step?.kind === 'create' && step.buyer === undefined && customer.kind === 'unopened' ? { buyer: 'erased' } : {};
}

function currentOf({ record, compliance_id, record_destination }: ClaimedRow): CurrentRecord | null {
  if (record === null || compliance_id === null || record_destination === null) return null;
  return { record, complianceId: compliance_id, destinationId: record_destination };
}
