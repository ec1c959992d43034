import { retry } from '../../platform/retry.ts';

const PAUSES = { minTimeout: 100, factor: 2, maxTimeout: 2_000, retries: Number.POSITIVE_INFINITY, maxRetryTime: 60_000 };

/**
 * Writes a result that must not be lost: retried while the database is down, for a minute at most, or until the process must stop.
 * A reply that is not written is a create of unknown outcome.
 */
export function retryWrite<T>(write: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return retry(write, { ...PAUSES, shouldRetry: () => signal?.aborted !== true });
}
