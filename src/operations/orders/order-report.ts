import type { Connection } from '../../bridge/connections/connection.ts';
import type { KeptDelivery } from '../../bridge/ledger/deliveries/delivery-store.ts';
import type { KeptOrder, KeptStep, OrderPause } from '../../bridge/ledger/orders/read-orders.ts';
import { isPending, type Receipt } from '../../bridge/order/decisions/claim.ts';
import { desired, fiscalSettings, type NothingReason, takenIn } from '../../bridge/order/decisions/desired.ts';
import { orderStates } from '../../bridge/order/decisions/order-state.ts';
import { currentResolution, type Resolution } from '../../bridge/order/decisions/wanted.ts';
import { knownBuyer } from '../../bridge/order/facts/facts.ts';
import { failureWords, type Problem } from '../../bridge/order/facts/failure.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import { endedBy, isTied, LEVA_PER_EURO } from '../../contract/money.ts';
import { type CreateOrderDto, toDto } from '../../contract/order-dto.ts';
import type { TaxRecord } from '../../contract/record.ts';
import { totalsOf } from '../../contract/totals.ts';

type Parts = { view: KeptOrder; connection: Connection; deliveries: KeptDelivery[]; steps: KeptStep[]; pause?: OrderPause | null };

/** The record that the compliance service should have by today's facts and settings. */
export type DesiredRecord = { kind: 'record'; record: CreateOrderDto } | { kind: 'nothing'; why: NothingReason } | { kind: 'problems'; problems: Problem[] };

/** One order, whole. Records are CreateOrderDtos in decimal amounts, with the buyer as far as they are not erased and open. */
export type OrderReport = OrderBrief & {
  means: string;
  todo: string | null;
  /** A person's word about it, and whether it still counts: anything new ends that; null: there is none. */
  resolution: (Resolution & { counts: boolean }) | null;
  /** The record that the compliance service has. */
  record: CreateOrderDto | null;
  /** What is recorded and looks wrong. */
  warnings: LocalizedText[];
  /** The receipt of that record; null: none is requested. */
  receipt: Receipt | null;
  desired: DesiredRecord;
  /** A create whose reply was lost: it may be recorded, or not. */
  unconfirmed: CreateOrderDto | null;
  /** The service's words with which the repeat of a create or delete of unknown outcome was refused; null: it was not. */
  refusal: string | null;
  /** Is anything left to do without a person? */
  pending: boolean;
  personalDataErased: boolean;
  /** Personal data is kept, and can’t be decrypted. */
  personalDataUnopened: boolean;
  facts: KeptOrder['facts'];
  /** An older state than this that the store shows, such as after a backup was restored, and when that was seen; null: it shows none. */
  olderThere: KeptOrder['olderThere'];
  deliveries: KeptDelivery[];
  submissions: KeptStep[];
};

/** Whom it names is left out. */
export function withoutBuyer(order: KeptOrder): KeptOrder {
  return order.customer.kind === 'known' ? { ...order, customer: { kind: 'none' } } : order;
}

export function orderReport({ view, connection, deliveries, steps, pause = null }: Parts): OrderReport {
  const { customer, openStep, review, state, shopId, record } = view;
  const asDto = (one: TaxRecord) => toDto(one, knownBuyer(customer), shopId);
  return {
    ...orderBrief(view, pause),
    means: review === null ? orderStates[state].means : failureWords(review.code).means,
    todo: todoOf(view),
    resolution: view.resolution === null ? null : { ...view.resolution, counts: currentResolution(view) !== null },
    record: record === null ? null : asDto(record),
    warnings:
      record === null
        ? []
        : recordWarnings({ record, paidAt: view.facts.snapshot?.paidAt ?? null, recordedAt: steps.find(({ kind }) => kind === 'create')?.at ?? null }),
    receipt: view.receipt,
    desired: expectedRecord(view, connection),
    unconfirmed: openStep?.kind === 'create' && openStep.uncertain ? asDto(openStep.record) : null,
    refusal: refusalOf(view, steps),
    pending: isPending(view) || view.receipt?.state === 'due',
    personalDataErased: customer.kind === 'erased',
    personalDataUnopened: customer.kind === 'unopened',
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

/** Advice for a person about an order that waits for one. */
export function todoOf({ review, state, id, openStep }: Pick<KeptOrder, 'review' | 'state' | 'id' | 'openStep'>): string | null {
  if (state === 'unconfirmed' && openStep?.kind === 'delete') {
    const { complianceId } = openStep;
    return `The answers to the delete of the record ${complianceId} do not show whether it was done. Look there: if the record exists, \`orderbridge confirm id:${id} --recorded ${complianceId}\`, if it is gone, \`orderbridge confirm id:${id} --not-recorded\`.`;
  }
  if (state === 'unconfirmed') {
    return `Look at the compliance service: if it is there, \`orderbridge confirm id:${id} --recorded ITS_ID\`, if not, \`orderbridge confirm id:${id} --not-recorded\`.`;
  }
  return review === null ? null : failureWords(review.code).todo.replaceAll('ORDER', `id:${id}`);
}

// What came since is another state, which the store was not seen to hide.
function olderThere({ olderThere: older, facts: { snapshot, snapshotSeenAt } }: KeptOrder): KeptOrder['olderThere'] {
  return older !== null && older.at > (snapshotSeenAt ?? '') && older.at > (snapshot?.readAt ?? '') ? older : null;
}

type Expected = Pick<KeptOrder, 'orderId' | 'shopId' | 'facts' | 'mapping' | 'record' | 'backfilled' | 'customer'>;

/** What should be recorded by the order's facts and today's settings. */
export function expectedRecord(view: Expected, connection: Connection): DesiredRecord {
  const { gateways } = storefrontOf(storefronts, connection.platform);
  const terms = { ...connection, onTrial: connection.trialSince !== null, gateways };
  const settings = fiscalSettings(view.backfilled ? takenIn(terms) : terms, view.mapping);
  const wanted = desired({ orderId: view.orderId, facts: { ...view.facts, customer: view.customer }, settings, recorded: view.record });
  if (wanted.kind === 'problems') return { kind: 'problems', problems: wanted.problems };
  return wanted.kind === 'record' ? { kind: 'record', record: toDto(wanted.record, knownBuyer(view.customer), view.shopId) } : wanted;
}

/** One order in a list. */
export type OrderBrief = {
  /** The ledger's own number, which is never ambiguous. */
  id: number;
  connectionId: string;
  platform: string;
  store: string;
  orderId: string;
  number: string | null;
  state: KeptOrder['state'];
  review: KeptOrder['review'];
  /** The pause for whose end a queued order waits; null: for none. */
  pause: OrderPause | null;
  complianceId: string | null;
  currency: string | null;
  /** The amount that the customer paid or has to pay, before refunds. */
  orderTotal: string | null;
  /** The total that is recorded at the compliance service. */
  recordedTotal: string | null;
  recordedCurrency: string | null;
  updatedAt: string;
};

export function orderBrief(view: KeptOrder, pause: OrderPause | null = null): OrderBrief {
  const { id, connectionId, platform, store, orderId, number, state, review, complianceId, record, updatedAt } = view;
  const { snapshot } = view.facts;
  return {
    ...{ id, connectionId, platform, store, orderId, number, state, review, pause, complianceId },
    currency: snapshot?.currency ?? null,
    orderTotal: snapshot?.total ?? null,
    recordedTotal: record === null ? null : recordTotal(record),
    recordedCurrency: record?.currency ?? null,
    updatedAt,
  };
}

/** Decimal text with VAT, after discounts. */
function recordTotal({ lineItems, precision }: TaxRecord): string {
  return totalsOf({ lines: lineItems, precision }).total;
}

const DAY_MS = 24 * 60 * 60_000;
const YEAR_MS = 366 * DAY_MS;

/** `paidAt` and `recordedAt`: ISO instants; null: not known. */
type Recorded = { record: TaxRecord; paidAt: string | null; recordedAt: string | null };

/** What is recorded and looks wrong, for people: whichever service has it. */
function recordWarnings({ record, paidAt, recordedAt }: Recorded): LocalizedText[] {
  const { currency, internalCreatedAt, paymentType, transactionId } = record;
  const lastDay = endedBy(currency, internalCreatedAt);
  const hasNoReference = paymentType === 'PAYMENT_PROCESSOR' && transactionId === null;
  return [
    ...(lastDay === null ? [] : [endedWords(currency, lastDay)]),
    ...(hasNoReference ? [NO_REFERENCE] : []),
    ...(recordedAt === null ? [] : dateWarnings([internalCreatedAt, ...(paidAt === null ? [] : [paidAt])], Date.parse(recordedAt))),
  ];
}

function endedWords(currency: string, lastDay: string): LocalizedText {
  const then = isTied(currency)
    ? { en: `it is declared at ${LEVA_PER_EURO}`, bg: `отчита се по ${LEVA_PER_EURO}` }
    : { en: 'no rate of it will ever come', bg: 'за нея няма да има курс' };
  return {
    en: `It is in ${currency}, which ended on ${lastDay}, before the order was made: ${then.en}. See which currency was paid.`,
    bg: `Във валута ${currency} е, с която не се плаща след ${lastDay}: ${then.bg}. Проверете в коя валута е платено.`,
  };
}

const NO_REFERENCE: LocalizedText = {
  en: 'It is recorded without the payment’s reference, which the sale document must bear.',
  bg: 'Записана е без номер на плащането, който документът за продажбата трябва да съдържа.',
};

function dateWarnings(times: readonly string[], recordedAt: number): LocalizedText[] {
  const ahead = times.find((time) => Date.parse(time) > recordedAt + DAY_MS);
  if (ahead !== undefined)
    return [
      {
        en: `It says ${ahead}, more than a day after it was recorded: see whether the store’s clock is right.`,
        bg: `Посочва ${ahead}, повече от ден след записването: проверете часовника на магазина.`,
      },
    ];
  const old = times.find((time) => Date.parse(time) < recordedAt - YEAR_MS);
  if (old === undefined) return [];
  return [
    {
      en: `It says ${old}, more than a year before it was recorded: see whether it is this sale’s date.`,
      bg: `Посочва ${old}, повече от година преди записването: проверете дали това е датата на продажбата.`,
    },
  ];
}
