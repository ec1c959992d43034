import type { Log } from '../platform/log.ts';

export function fetchFailed(log: Log, { orderId, err }: { orderId: number; err: unknown }): void {
  log.error({ event: 'fetch.failed', order: orderId, err }, 'an attempt that calls a store failed; its order is processed again');
}

/** `orderId`: null if not even that could be read. `attempt`: of this process, since the order was processed well. */
export function attemptFailed(log: Log, { orderId, attempt, err }: { orderId: number | null; attempt: number; err: unknown }): void {
  log.error({ event: 'attempt.failed', order: orderId, attempt, err }, 'an attempt at an order failed; it is processed again');
}

export function claimFailed(log: Log, err: unknown): void {
  log.warn({ event: 'claim.failed', err }, 'orders that are due could not be claimed; it is tried again');
}
