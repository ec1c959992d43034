import type { ParkedOrder } from '../bridge/ledger/release-parked.ts';

/** How many of the orders are parked for each reason. */
export function countsByCode(orders: readonly ParkedOrder[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(orders, ({ code }) => code)].map(([code, of]) => [code, of.length]));
}
