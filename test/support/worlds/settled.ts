import { setTimeout as delay } from 'node:timers/promises';

type Wait = {
  /** The awaited condition, to complete "timed out waiting for …". */
  what: string;
  /** Default 60 s: a loaded machine takes long, and who passes does not wait. */
  timeoutMs?: number;
  /** Pause between two looks; default 25 ms. */
  everyMs?: number;
};

/** Of a changed connection or app a receiver is told; without that, it looks again after ten seconds. */
export const HEARD: Wait = { what: 'the receiver to hear of it', timeoutMs: 8_000 };

/**
 * Calls `check` until it returns something truthy, and returns that. An assertion in `check` may throw: it is retried, and the
 * last one is the cause of the error if time runs out.
 */
export async function until<T>(check: () => T | Promise<T>, { what, timeoutMs = 60_000, everyMs = 25 }: Wait): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const look = await attempt(check);
    if ('seen' in look && look.seen) return look.seen;
    if (performance.now() >= deadline) throw timedOut(look, { what, timeoutMs });
    await delay(everyMs);
  }
}

type Look<T> = { seen: T } | { thrown: unknown };

async function attempt<T>(check: () => T | Promise<T>): Promise<Look<T>> {
  try {
    return { seen: await check() };
  } catch (thrown) {
    return { thrown };
  }
}

function timedOut(look: Look<unknown>, { what, timeoutMs }: { what: string; timeoutMs: number }): Error {
  if ('seen' in look) return new Error(`timed out after ${timeoutMs} ms waiting for ${what}; last seen: ${String(look.seen)}`);
  const { thrown } = look;
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  return new Error(`timed out after ${timeoutMs} ms waiting for ${what}; last look: ${words}`, { cause: thrown });
}
