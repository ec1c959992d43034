import pRetry from 'p-retry';

const PAUSES = { minTimeout: 100, factor: 2, maxTimeout: 2_000, retries: Number.POSITIVE_INFINITY, maxRetryTime: 60_000 };

/** Wraps the error of a failed write: p-retry gives up at a TypeError, which a driver may throw when its connection breaks. */
class NotWritten extends Error {}

/**
 * Writes a result that must not be lost: retried while the database is down, for a minute at most, or until the process must stop.
 * A reply that is not written is a create of unknown outcome.
 */
export async function persistently<T>(write: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await pRetry(() => write().catch(notWritten), { ...PAUSES, shouldRetry: () => signal?.aborted !== true });
  } catch (thrown) {
    throw thrown instanceof NotWritten ? thrown.cause : thrown;
  }
}

function notWritten(cause: unknown): never {
  throw new NotWritten('not written', { cause });
}
