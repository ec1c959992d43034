import { withTimeout } from './with-timeout.ts';

export type ThrottledOptions = {
  /** The least time between the begins of two readings; 0 reads for every caller. */
  everyMs: number;
  /** How long a caller waits for a reading that is under way. */
  timeoutMs: number;
  /** ms, never going back */
  now(): number;
};

/** A reading is repeated after this many times its duration: it takes a hundredth of the time at most ... */
const REST = 100;
/** ... unless that were more than this many intervals. */
const MOST_INTERVALS = 40;
/** A reading that failed was given up, and says little of what it costs: it is repeated sooner. */
const REST_AFTER_FAILURE = 10;
/** A reading that takes longer counts as failed. */
const MOST_MS = 30_000;

/**
 * Repeats a reading when somebody wants it, but never hurries: callers share one, none waits for long, and what costs more is read less often.
 * A failed reading changes nothing.
 */
export function throttled(read: () => Promise<void>, { everyMs, timeoutMs, now }: ThrottledOptions): () => Promise<void> {
  let running: Promise<void> | null = null;
  let nextAt = Number.NEGATIVE_INFINITY;
  const begin = async (): Promise<void> => {
    const began = now();
    const rest = await withTimeout(MOST_MS, read()).then(
      () => REST,
      () => REST_AFTER_FAILURE,
    );
    running = null;
    nextAt = began + Math.max(everyMs, Math.min((now() - began) * rest, everyMs * MOST_INTERVALS));
  };
  return async () => {
    if (running === null && now() >= nextAt) running = begin();
    if (running !== null) await withTimeout(timeoutMs, running).catch(() => undefined);
  };
}
