import type { Snapshot } from '../order/facts/facts.ts';

// One second, and one more for clocks that differ.
const SECOND_IS_OVER_MS = 2_000;

/**
 * That an order which changed at `updatedAt` (ISO) was read from the API at `now` (ms since 1970). Times of change have whole seconds: what was read before
 * that second was over may not be all that happened in it.
 */
export function readAt(updatedAt: string, now: number): Pick<Snapshot, 'readAt'> {
  return now >= Date.parse(updatedAt) + SECOND_IS_OVER_MS ? { readAt: new Date(now).toISOString() } : {};
}
