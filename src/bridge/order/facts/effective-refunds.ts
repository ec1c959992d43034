import { decimalsOf, formatMoney, parseMoney, sum } from '../../../contract/money.ts';
import { ownValue } from '../../../contract/own-value.ts';
import type { Facts, Refund, RefundLine, RefundReference, Snapshot, Transaction } from './facts.ts';
import type { Problem } from './failure.ts';

/**
 * A refund that counts: money did go back. `lines` null: not known yet. `deducted`: how much of `amount` the order's lines have left out already;
 * the rest names no line then.
 */
export type EffectiveRefund = { id: string; amount: string; lines: RefundLine[] | null; deducted?: string };

type Order = Pick<Snapshot, 'updatedAt' | 'readAt' | 'currency' | 'refunds'>;
type ReferencedRefund = { refund: KnownRefund; reference: RefundReference | undefined };
type KnownRefund = Pick<Refund, 'id' | 'amount' | 'transactions' | 'lines'>;

/** The refunds that count, by id: those that the snapshot lists, and newer ones that only their own webhooks reported. */
export function effectiveRefunds(facts: Facts, order: Order): EffectiveRefund[] {
  const decimals = decimalsOf(order.currency);
  return knownRefunds(facts, order)
    .map((known) => effectOf(known, { transactions: facts.transactions, currency: order.currency }))
    .filter(({ amount }) => isMoney(amount, decimals))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Refunds of which only an amount in the buyer's currency is known. */
export function openRefunds(facts: Facts, order: Order): Problem[] {
  const scope = { transactions: facts.transactions, currency: order.currency };
  const open = knownRefunds(facts, order).filter(({ refund, reference }) => reference === undefined && moneyBack(refund, scope) === null);
  return open.map(({ refund }) => {
    const amounts = paidBack(refund, scope).map(({ amount, currency = order.currency }) => `${amount} ${currency}`);
    const detail = `Refund ${refund.id} gave back ${amounts.join(' and ')}; how much of the order that is in ${order.currency} is not known yet.`;
    return { code: 'refund.unattributed', detail };
  });
}

function knownRefunds({ refunds }: Facts, order: Order): ReferencedRefund[] {
  const referenced = (order.refunds ?? []).map((reference) => ({ refund: ownValue(refunds, reference.id) ?? asRefund(reference), reference }));
  const others = Object.values(refunds).filter((refund) => isNewsTo(order, refund));
  return [...referenced, ...others.map((refund) => ({ refund, reference: undefined }))];
}

// An amount that can't be read counts, too: better to ask a person than to overlook a refund.
function isMoney(amount: string, decimals: number): boolean {
  const minor = parseMoney(amount, decimals);
  return minor === undefined || minor > 0n;
}

function asRefund({ id, amount }: RefundReference): KnownRefund {
  return { id, amount, transactions: [], lines: null };
}

// A list that is older than the refund can't include it; within the same second the order is unknown, so it counts. One that was read from
// the store is as old as its reading. What an older list had is no news, whatever moment it names.
function isNewsTo(order: Order, refund: Refund): boolean {
  if (order.refunds === null) return true;
  // An empty list may be a serializer's default, and no word about a refund that no order ever listed.
  if (refund.listed === '' && order.refunds.length === 0) return true;
  const since = order.readAt ?? order.updatedAt;
  return refund.at >= since && (refund.listed || since) >= since && !order.refunds.some(({ id }) => id === refund.id);
}

type Scope = { transactions: Facts['transactions']; currency: string };

function effectOf({ refund, reference }: ReferencedRefund, scope: Scope): EffectiveRefund {
  const { id, lines } = refund;
  const amount = moneyBack(refund, scope) ?? reference?.amount ?? '0';
  return reference?.deducted === undefined ? { id, amount, lines } : { id, amount, lines: [], deducted: reference.deducted };
}

/**
 * Only transactions that succeeded moved money: pending ones may still, failed ones and restocks without money never do. Null: it went back in
 * another currency than the order's.
 */
function moneyBack(refund: KnownRefund, { transactions, currency }: Scope): string | null {
  const decimals = decimalsOf(currency);
  if (refund.transactions.length === 0) return refund.amount ?? formatMoney(0n, decimals);
  const back = paidBack(refund, { transactions, currency });
  if (back.some((transaction) => isForeign(transaction, currency))) return refund.amount;
  const amounts = back.map(({ amount }) => amount);
  const parts = amounts.flatMap((amount) => parseMoney(amount, decimals) ?? []);
  // A part with too many decimals is passed on unchanged: `desired` reports it.
  return amounts.find((amount) => parseMoney(amount, decimals) === undefined) ?? formatMoney(sum(parts), decimals);
}

// Storefronts that know that it went back in another currency do not call it a refund, so that it is never summed.
function paidBack(refund: KnownRefund, { transactions, currency }: Scope): Transaction[] {
  const known = [...new Set(refund.transactions)].flatMap((id) => ownValue(transactions, id) ?? []);
  return known.filter((transaction) => transaction.status === 'success' && (transaction.kind === 'refund' || isForeign(transaction, currency)));
}

/** Is its amount in another currency than the order's? */
export function isForeign(transaction: Transaction, currency: string): boolean {
  return transaction.currency !== undefined && transaction.currency !== currency;
}

/** Decimal text in minor units of the currency; zero for what can't be read, which proves nothing and is reported with the lines. */
export function minorOrZero(amount: string, currency: string): bigint {
  return parseMoney(amount, decimalsOf(currency)) ?? 0n;
}
