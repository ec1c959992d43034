import type { OrderInReview } from '../bridge/ledger/release-from-review.ts';

/** How many of the orders need review for each reason. */
export function countsByCode(orders: readonly OrderInReview[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(orders, ({ code }) => code)].map(([code, of]) => [code, of.length]));
}
