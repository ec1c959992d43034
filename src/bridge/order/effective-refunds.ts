import { decimalsOf, formatMoney, parseMoney, sum } from '../../contract/money.ts';
import { ownValue } from '../../contract/own-value.ts';
import type { Facts, Refund, RefundLine, RefundMention, Snapshot, Transaction } from './facts.ts';

/** A refund that counts: money did go back. `lines` null: not known yet. */
export type EffectiveRefund = { id: string; amount: string; lines: RefundLine[] | null };

/** The refunds that count, by id: those that the snapshot lists, and newer ones that only their own webhooks reported. */
export function effectiveRefunds({ refunds, transactions }: Facts, snapshot: Snapshot): EffectiveRefund[] {
  const decimals = decimalsOf(snapshot.currency);
  const mentioned = (snapshot.refunds ?? []).map((mention) => asRefund(mention, ownValue(refunds, mention.id)));
  const unmentioned = Object.values(refunds).filter((refund) => isNewsTo(snapshot, refund));
  return [...mentioned, ...unmentioned]
    .map(({ id, lines, ...refund }) => ({ id, amount: moneyBack(refund, transactions, decimals), lines }))
    .filter(({ amount }) => isMoney(amount, decimals))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

// An amount that can't be read counts, too: better to ask a person than to overlook a refund.
function isMoney(amount: string, decimals: number): boolean {
  const minor = parseMoney(amount, decimals);
  return minor === undefined || minor > 0n;
}

type KnownRefund = Pick<Refund, 'id' | 'amount' | 'transactions' | 'lines'>;

function asRefund({ id, amount }: RefundMention, known: Refund | undefined): KnownRefund {
  return known ?? { id, amount, transactions: [], lines: null };
}

// A list that is older than the refund can't include it; within the same second the order is unknown, so it counts. One that was read from
// the store is as old as its reading.
function isNewsTo(snapshot: Snapshot, refund: Refund): boolean {
  if (snapshot.refunds === null) return true;
  // An empty list may be a serializer's default, and no word about a refund that no order ever listed.
  if (refund.alone === true && snapshot.refunds.length === 0) return true;
  return refund.at >= (snapshot.readAt ?? snapshot.updatedAt) && !snapshot.refunds.some(({ id }) => id === refund.id);
}

// Only transactions that succeeded moved money: pending ones may still, failed ones and restocks without money never do.
function moneyBack(refund: Pick<Refund, 'amount' | 'transactions'>, known: Record<string, Transaction>, decimals: number): string {
  if (refund.transactions.length === 0) return refund.amount ?? formatMoney(0n, decimals);
  const amounts = [...new Set(refund.transactions)].flatMap((id) => paidBack(ownValue(known, id)));
  const parts = amounts.flatMap((amount) => parseMoney(amount, decimals) ?? []);
  // A part with too many decimals is passed on unchanged: `desired` reports it.
  return amounts.find((amount) => parseMoney(amount, decimals) === undefined) ?? formatMoney(sum(parts), decimals);
}

function paidBack(transaction: Transaction | undefined): string[] {
  return transaction?.kind === 'refund' && transaction.status === 'success' ? [transaction.amount] : [];
}
