import type { Connection } from '../../bridge/connections/connection.ts';
import type { KeptDelivery } from '../../bridge/ledger/delivery-store.ts';
import type { KeptOrder, KeptStep } from '../../bridge/ledger/kept-order.ts';
import type { OrderHold } from '../../bridge/ledger/order-holds.ts';
import { isBehind } from '../../bridge/order/claim.ts';
import type { NothingReason } from '../../bridge/order/desired.ts';
import { desired } from '../../bridge/order/desired.ts';
import type { CustomerFact } from '../../bridge/order/facts.ts';
import { failureWords, type Problem } from '../../bridge/order/failure.ts';
import { fiscalSettings, takenIn } from '../../bridge/order/fiscal-settings.ts';
import { orderStates } from '../../bridge/order/order-state.ts';
import type { Receipt } from '../../bridge/order/receipt.ts';
import { type Settled, wordOn } from '../../bridge/order/settled.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { toDto } from '../../contract/encode-order.ts';
import type { CreateOrderDto } from '../../contract/order-dto.ts';
import type { Customer, TaxRecord } from '../../contract/record.ts';
import type { Said } from '../../contract/said.ts';
import { type OrderBrief, orderBrief } from './order-brief.ts';
import { recordWarnings } from './record-warnings.ts';

type Parts = { view: KeptOrder; connection: Connection; deliveries: KeptDelivery[]; steps: KeptStep[]; held?: OrderHold | null };

/** The record that the compliance service should have by today's facts and settings. */
export type DesiredRecord = { kind: 'record'; record: CreateOrderDto } | { kind: 'nothing'; why: NothingReason } | { kind: 'problems'; problems: Problem[] };

/** One order, whole. Records are CreateOrderDtos in decimal amounts, with the buyer as far as he is not erased. */
export type OrderReport = OrderBrief & {
  means: string;
  todo: string | null;
  /** A person's word about it, and whether it still counts: anything new ends that; null: there is none. */
  settled: (Settled & { counts: boolean }) | null;
  /** The record that the compliance service has. */
  record: CreateOrderDto | null;
  /** What is recorded and looks wrong. */
  warnings: Said[];
  /** The receipt of that record; null: none is requested. */
  receipt: Receipt | null;
  desired: DesiredRecord;
  /** A create whose reply was lost: it may be recorded, or not. */
  unconfirmed: CreateOrderDto | null;
  /** The service's words with which the repeat of a create or delete of unknown outcome was refused; null: it was not. */
  refusal: string | null;
  /** Is anything left to do without a person? */
  behind: boolean;
  personalDataErased: boolean;
  facts: KeptOrder['facts'];
  /** An older state than this that the store shows, such as after a backup was restored, and when that was seen; null: it shows none. */
  olderThere: KeptOrder['olderThere'];
  deliveries: KeptDelivery[];
  submissions: KeptStep[];
};

export function orderReport({ view, connection, deliveries, steps, held = null }: Parts): OrderReport {
  const { customer, openStep, review, state, shopId, record } = view;
  const asDto = (one: TaxRecord) => toDto(one, customer, shopId);
  return {
    ...orderBrief(view, held),
    means: review === null ? orderStates[state] : failureWords(review.code).means,
    todo: todoOf(view),
    settled: view.settled === null ? null : { ...view.settled, counts: wordOn(view) !== null },
    record: record === null ? null : asDto(record),
    warnings: record === null ? [] : recordWarnings({ record, paidAt: view.facts.snapshot?.paidAt ?? null, recordedAt: firstCreate(steps) }),
    receipt: view.receipt,
    desired: shouldStand(view, connection),
    unconfirmed: openStep?.kind === 'create' && openStep.uncertain ? asDto(openStep.record) : null,
    refusal: refusalOf(view, steps),
    behind: isBehind(view) || view.receipt?.state === 'due',
    personalDataErased: view.erased,
    facts: view.facts,
    olderThere: olderThere(view),
    deliveries,
    submissions: steps,
  };
}

function refusalOf({ state, openStep }: KeptOrder, steps: readonly KeptStep[]): string | null {
  if (state !== 'unconfirmed') return null;
  const refused = steps.find(({ seq, outcome }) => seq === openStep?.seq && (outcome === 'refused' || outcome === 'conflict'));
  return refused === undefined ? null : (refused.detail ?? String(refused.status));
}

function firstCreate(steps: readonly KeptStep[]): string | null {
  return steps.find(({ kind }) => kind === 'create')?.at ?? null;
}

/** Advice for a person about an order that waits for one. */
export function todoOf({ review, state, id, openStep }: Pick<KeptOrder, 'review' | 'state' | 'id' | 'openStep'>): string | null {
  if (state === 'unconfirmed' && openStep?.kind === 'delete') {
    const { complianceId } = openStep;
    return `The answers to the delete of the record ${complianceId} do not show whether it was done. Look there: if the record exists, \`orderbridge resolve id:${id} --recorded ${complianceId}\`, if it is gone, \`orderbridge resolve id:${id} --not-recorded\`.`;
  }
  if (state === 'unconfirmed') {
    return `Look at the compliance service: if it is there, \`orderbridge resolve id:${id} --recorded ITS_ID\`, if not, \`orderbridge resolve id:${id} --not-recorded\`.`;
  }
  return review === null ? null : failureWords(review.code).todo.replaceAll('ORDER', `id:${id}`);
}

// What came since is another state, which the store was not seen to hide.
function olderThere({ olderThere: older, facts: { snapshot, snapshotSeenAt } }: KeptOrder): KeptOrder['olderThere'] {
  return older !== null && older.at > (snapshotSeenAt ?? '') && older.at > (snapshot?.readAt ?? '') ? older : null;
}

/** What should be recorded by the order's facts and today's settings. */
export function shouldStand(view: KeptOrder, connection: Connection): DesiredRecord {
  const { gateways } = storefrontOf(storefronts, connection.platform);
  const terms = { ...connection, onTrial: connection.trialSince !== null, gateways };
  const settings = fiscalSettings(view.backfilled ? takenIn(terms) : terms, view.mapping);
  const wanted = desired({ orderId: view.orderId, facts: { ...view.facts, customer: customerFact(view) }, settings, recorded: view.record });
  if (wanted.kind === 'problems') return { kind: 'problems', problems: wanted.problems };
  return wanted.kind === 'record' ? { kind: 'record', record: toDto(wanted.record, view.customer, view.shopId) } : wanted;
}

function customerFact({ erased, customer }: { erased: boolean; customer: Customer | null }): CustomerFact {
  if (erased) return { kind: 'erased' };
  return customer === null ? { kind: 'none' } : { kind: 'known', customer };
}
