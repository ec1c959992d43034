import { convertFixed, decimalsOf, formatMoney, isTied, parseMoney } from '../../contract/money.ts';
import type { RecordContent } from '../../contract/record.ts';
import { totalsOf } from '../../contract/totals.ts';
import type { Connection } from '../connections/connection.ts';
import type { Desired } from '../order/decisions/desired.ts';
import type { OrderState } from '../order/decisions/order-state.ts';
import { type Facts, isBasket } from '../order/facts/facts.ts';
import type { Problem } from '../order/facts/failure.ts';
import { sameButRounding } from '../order/money/same-content.ts';
import type { OrderSummary } from '../storefronts/store-reader.ts';
import type { LedgerFinding, Money } from './difference.ts';

/** What a record comes to. */
export function moneyOf({ currency, lineItems, precision }: RecordContent): Money {
  return { currency, total: totalsOf({ lines: lineItems, precision }).total };
}

type Kept = { state: OrderState; review: Problem | null; isPending: boolean; facts: Facts; current: { record: RecordContent } | null };

/** The ledger's word on an order. `pause`: the code of the pause that its destination has. */
export function ledgerFindingOf({ state, review, isPending, facts, current }: Kept, wanted: Desired, pause: string | null): LedgerFinding {
  const right = wanted.kind === 'record' ? wanted.record : null;
  // What a person said of it counts, until something new comes of it.
  if (state === 'resolved')
    return { wanted: current === null ? 'nothing' : 'record', current: current === null ? null : moneyOf(current.record), isRight: true, code: null };
  const asked = state === 'review' ? (review?.code ?? null) : state === 'unconfirmed' ? 'unconfirmed' : null;
  return {
    wanted: wantedKind(wanted),
    current: current === null ? null : moneyOf(current.record),
    isRight: current !== null && right !== null && sameButRounding(current.record, right, facts.snapshot?.roundedTo),
    code: asked ?? (isPending ? pause : null),
  };
}

type Terms = Pick<Connection, 'recordFrom' | 'gaps'> &
  Partial<Pick<Connection, 'trialSince'>> & {
    settings: Pick<Connection['settings'], 'freeOrders' | 'codPaidWhen' | 'paidStatuses' | 'removeWithoutRefund' | 'convertTo'>;
  };

function wantedKind(wanted: Desired): LedgerFinding['wanted'] {
  if (wanted.kind === 'record') return wanted.question === undefined ? 'record' : 'person';
  return wanted.kind === 'nothing' ? 'nothing' : 'person';
}

/** What should be recorded of an order that is only known by the store's list; null: nothing, as far as that says. */
export function paidByList(summary: OrderSummary, { recordFrom, trialSince = null, gaps, settings }: Terms): Money | null {
  const { test, lifecycle, currency } = summary;
  const sold = Date.parse(summary.soldAt);
  const isOurs = trialSince === null && sold >= Date.parse(recordFrom) && !gaps.some(({ from, until }) => Date.parse(from) <= sold && sold < Date.parse(until));
  const isOff = lifecycle !== 'live' && settings.removeWithoutRefund === 'remove';
  if (test || isBasket(summary) || isOff || !isOurs || !isPaid(summary, settings)) return null;
  const minor = parseMoney(summary.kept ?? summary.total, decimalsOf(currency)) ?? 0n;
  if (minor === 0n && !(settings.freeOrders === 'record' && Number(summary.total) === 0 && lifecycle === 'live')) return null;
  const { convertTo } = settings;
  if (convertTo !== null && isTied(currency)) return { currency: convertTo, total: formatMoney(convertFixed(minor, currency, convertTo), 2) };
  return { currency, total: formatMoney(minor, decimalsOf(currency)) };
}

function isPaid({ payment, status, lifecycle }: OrderSummary, { codPaidWhen, paidStatuses }: Terms['settings']): boolean {
  if (payment === 'on-delivery') return codPaidWhen === 'processing';
  return payment !== 'unpaid' || (lifecycle === 'live' && paidStatuses.includes(status));
}

/** The same of an order that the ledger knows as the list has it: by what is wanted, but for the sum, where the list says that by itself. */
export function paidAsWanted(
  summary: OrderSummary,
  { facts, wanted, current }: { facts: Facts; wanted: Desired; current: RecordContent | null },
): Money | null {
  if (wanted.kind === 'nothing') return null;
  if (wanted.kind === 'problems') return current === null ? { currency: summary.currency, total: summary.kept ?? summary.total } : moneyOf(current);
  const { currency } = wanted.record;
  const isPlain = summary.kept !== null && currency === summary.currency && summary.lifecycle === 'live' && !hasGiftCard(facts);
  return isPlain && summary.kept !== null ? { currency, total: summary.kept } : moneyOf(wanted.record);
}

// What a gift card paid or sold is recorded or not as the settings say.
function hasGiftCard({ snapshot, transactions }: Facts): boolean {
  const isSold = snapshot?.lines.some(({ giftCard }) => giftCard === true) === true;
  return isSold || snapshot?.paidByGiftCard === true || Object.values(transactions).some(({ giftCard }) => giftCard !== undefined);
}

/** Is a record of this very sale? Its id may have been used for another one; when an order was made never changes. */
export function isOfSale({ internalCreatedAt }: Pick<RecordContent, 'internalCreatedAt'>, createdAt: string): boolean {
  return internalCreatedAt === createdAt || Math.abs(Date.parse(internalCreatedAt) - Date.parse(createdAt)) < 1_000;
}
