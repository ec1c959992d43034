import type { Facts } from '../../bridge/order/facts.ts';
import { viewOf } from '../../bridge/order/view.ts';

/** When an order was paid, as far as the ledger knows; ISO instant. Null: the order itself is not known. */
export function soldAtOf(facts: Facts): string | null {
  return viewOf(facts)?.paidAt ?? null;
}
