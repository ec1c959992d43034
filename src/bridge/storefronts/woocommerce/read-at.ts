import type { Snapshot } from '../../order/facts.ts';
import type { WooPlaced } from './payload.ts';
import { changedAt } from './snapshot.ts';

// One second, and one more for clocks that differ.
const SECOND_IS_OVER_MS = 2_000;

/**
 * That an order was read from the API at `now` (ms since 1970). `date_modified_gmt` has whole seconds: what was read before its second was over may
 * not be all that happened in it.
 */
export function readAt(order: WooPlaced, now: number): Pick<Snapshot, 'readAt'> {
  return now >= Date.parse(changedAt(order)) + SECOND_IS_OVER_MS ? { readAt: new Date(now).toISOString() } : {};
}
