import { decimalsOf, formatMoney } from '../../contract/money.ts';
import type { OutstandingMonth } from '../../contract/outstanding-dto.ts';
import type { PaidOrder } from './unrecorded-order.ts';

/** The month whose file would list an order of this time of creation, if it were recorded now. */
export type ListingMonth = (createdAt: string) => string;

type Sum = { month: string; currency: string; orders: number; total: bigint; oldest: string; codes: Map<string, number> };

/** Adds up paid orders by month and currency. */
export class OutstandingMonths {
  readonly #monthOf: ListingMonth;
  readonly #sums = new Map<string, Sum>();

  constructor(monthOf: ListingMonth) {
    this.#monthOf = monthOf;
  }

  add({ createdAt, soldAt, currency, total, code }: PaidOrder): void {
    const month = this.#monthOf(createdAt);
    const key = `${month} ${currency}`;
    const sum = this.#sums.get(key) ?? { month, currency, orders: 0, total: 0n, oldest: soldAt, codes: new Map() };
    sum.orders += 1;
    sum.total += total;
    if (soldAt < sum.oldest) sum.oldest = soldAt;
    sum.codes.set(code, (sum.codes.get(code) ?? 0) + 1);
    this.#sums.set(key, sum);
  }

  /** The newest months first, codes by name: the same orders give the same list. */
  list(most: number): OutstandingMonth[] {
    return [...this.#sums.values()]
      .toSorted((a, b) => b.month.localeCompare(a.month) || a.currency.localeCompare(b.currency))
      .slice(0, most)
      .map(({ total, currency, codes, ...sum }) => ({
        ...sum,
        currency,
        total: formatMoney(total, decimalsOf(currency)),
        codes: Object.fromEntries([...codes].toSorted(([a], [b]) => a.localeCompare(b))),
      }));
  }
}
