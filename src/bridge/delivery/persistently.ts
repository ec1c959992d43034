import { setTimeout as delay } from 'node:timers/promises';

const LONGEST_MS = 60_000;
const MOST_WAIT_MS = 2_000;

/**
 * Writes down what is known and would be lost: tried again while the database is away, for a minute at most, or until the process must stop.
 * A reply that nobody wrote down is a create of unknown outcome.
 */
export async function persistently<T>(write: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const began = performance.now();
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, MOST_WAIT_MS)) {
    try {
      return await write();
    } catch (thrown) {
      if (signal?.aborted === true || performance.now() - began > LONGEST_MS) throw thrown;
      await delay(waitMs);
    }
  }
}
