import { decimalsOf, parseMoney, sum } from '../../contract/money.ts';
import { isForeign } from './effective-refunds.ts';
import type { Facts, Transaction } from './facts.ts';

/** Payments that succeeded, the earliest first; redeemed gift cards are not among them. */
export function successfulCharges({ transactions }: Facts): Transaction[] {
  return Object.values(transactions)
    .filter(({ kind, status }) => kind === 'charge' && status === 'success')
    .sort((a, b) => (a.at === b.at ? compareText(a.id, b.id) : compareText(a.at, b.at)));
}

type Counting = { currency: string; counts(transaction: Transaction): boolean };

/** The known money in, gift cards included, in minor units of the currency; null if a part of it came in another one, or can't be read. */
export function moneyIn({ transactions }: Facts, { currency, counts }: Counting): bigint | null {
  const moved = Object.values(transactions).filter((transaction) => transaction.status === 'success' && signOf(transaction) !== 0n && counts(transaction));
  const amounts = moved.flatMap((transaction) => {
    const minor = isForeign(transaction, currency) ? undefined : parseMoney(transaction.amount, decimalsOf(currency));
    return minor === undefined ? [] : [signOf(transaction) * minor];
  });
  return amounts.length < moved.length ? null : sum(amounts);
}

/** Do known charges pay all of the order, but for gift cards? Their gateways then say how it was paid. */
export function coversAll(facts: Facts, { currency, total }: { currency: string; total: string }): boolean {
  const charges = successfulCharges(facts);
  if (charges.length === 0 || charges.some(({ gateway }) => gateway === '')) return false;
  const paid = moneyIn(facts, { currency, counts: () => true });
  const whole = parseMoney(total, decimalsOf(currency));
  return paid !== null && whole !== undefined && paid >= whole;
}

// Change is cash of a charge that was handed back at once: both together are the payment.
function signOf({ kind, change, giftCard }: Transaction): bigint {
  if (change === true) return -1n;
  return kind === 'charge' || giftCard === 'charge' ? 1n : 0n;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : 1;
}
