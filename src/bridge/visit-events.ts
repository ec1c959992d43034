import type { Log } from '../platform/log.ts';

export function fetchFailed(log: Log, { orderId, err }: { orderId: number; err: unknown }): void {
  log.error({ event: 'fetch.failed', order: orderId, err }, 'a visit that calls a store failed; its order is visited again');
}

/** `orderId`: null if not even that could be read. `attempt`: of this process, since the order was visited well. */
export function visitFailed(log: Log, { orderId, attempt, err }: { orderId: number | null; attempt: number; err: unknown }): void {
  log.error({ event: 'visit.failed', order: orderId, attempt, err }, 'a visit to an order failed; it is visited again');
}

export function claimFailed(log: Log, err: unknown): void {
  log.warn({ event: 'claim.failed', err }, 'orders that are due could not be claimed; it is tried again');
}
