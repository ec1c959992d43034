import type { Facts } from '../../bridge/order/facts.ts';
import { viewOf } from '../../bridge/order/view.ts';
import type { OrderHead } from '../../bridge/storefronts/store-reader.ts';
import type { Window } from './window.ts';

/**
 * When an order was paid, as far as the ledger knows; where a month is compared, when it was placed, which is what the service lists it by. ISO instant;
 * null: the order itself is not known.
 */
export function soldAtOf(facts: Facts, { month }: Pick<Window, 'month'>): string | null {
  const view = viewOf(facts);
  if (view === null) return null;
  return month === null ? view.paidAt : new Date(view.createdAt).toISOString();
}

/** The same of an order as its store lists it. */
export function soldAtOfHead({ soldAt, createdAt = soldAt }: OrderHead, { month }: Pick<Window, 'month'>): string {
  return month === null ? soldAt : createdAt;
}
