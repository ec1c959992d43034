import pRetry, { type Options } from 'p-retry';

type Pauses = Pick<Options, 'retries' | 'minTimeout' | 'maxTimeout' | 'factor' | 'maxRetryTime' | 'unref' | 'signal' | 'shouldRetry'>;

/** Wraps what was thrown: p-retry gives up at a TypeError and at what is no Error, which a driver may throw when its connection breaks. */
class Failed extends Error {}

/** Retries whatever is thrown, with p-retry's pauses. Throws what the last attempt threw, or the reason of the signal. */
export async function retry<T>(attempt: () => Promise<T>, pauses: Pauses): Promise<T> {
  try {
    return await pRetry(() => wrapped(attempt), pauses);
  } catch (thrown) {
    throw thrown instanceof Failed ? thrown.cause : thrown;
  }
}

async function wrapped<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (cause) {
    throw new Failed('failed', { cause });
  }
}
