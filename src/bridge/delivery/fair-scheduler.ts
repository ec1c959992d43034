type Id = string | number;

/** Whose work is queued behind whose: the more of a connection waits, the later comes what it adds, so that those that have much share. */
export type FairScheduler = {
  /** The priority of these items, which are counted from now on: 0 is first, then 1, 2 … */
  take(connectionId: string, ids: readonly Id[]): number;
  /** An item left the queue. */
  done(connectionId: string, id: Id): void;
  /** For a while, what this connection adds waits behind those of which little waits. */
  defer(connectionId: string): void;
  /** Nothing waits. */
  clear(): void;
};

type FairSchedulerOptions = {
  /** So many items of a connection are forgotten in a second, the oldest first: other processes do not report what is done. */
  perSecond: number;
  /** ms since 1970 */
  now(): number;
};

/** So many items of a connection are first, and so many share each priority after that. */
export const ALLOWANCE = 64;
/** Of one connection; those above it have the last priority together. */
export const MOST_COUNTED = 20_000;
const DEFERRED_MS = 5_000;
const FORGET_ABOVE = 1_000;

type Waiting = { ids: Set<Id>; at: number; deferredUntil: number };

/** Counts what waits of each connection, as far as this process knows. Ordinary traffic has priority 0, which costs a queue nothing. */
export function createFairScheduler({ perSecond, now }: FairSchedulerOptions): FairScheduler {
  const known = new Map<string, Waiting>();
  let forgetAbove = FORGET_ABOVE;

  function current(connectionId: string): Waiting {
    const at = now();
    const waiting = known.get(connectionId) ?? { ids: new Set(), at, deferredUntil: 0 };
    known.set(connectionId, waiting);
    leak(waiting, at, perSecond);
    if (known.size > forgetAbove) forget(at);
    return waiting;
  }

  function forget(at: number): void {
    for (const [id, waiting] of known) {
      leak(waiting, at, perSecond);
      if (waiting.ids.size === 0 && waiting.deferredUntil <= at) known.delete(id);
    }
    forgetAbove = Math.max(FORGET_ABOVE, known.size * 2);
  }

  return {
    take(connectionId, ids) {
      const { ids: waiting, at, deferredUntil } = current(connectionId);
      const priority = Math.floor(waiting.size / ALLOWANCE);
      for (const id of ids) if (waiting.size < MOST_COUNTED) waiting.add(id);
      return Math.max(priority, at < deferredUntil ? 1 : 0);
    },
    done(connectionId, id) {
      const ids = known.get(connectionId)?.ids;
      if (ids === undefined || ids.delete(id)) return;
      // Another process added it; then that one probably does some of ours, which it does not report.
      const [oldest] = ids;
      if (oldest !== undefined) ids.delete(oldest);
    },
    defer(connectionId) {
      const waiting = current(connectionId);
      waiting.deferredUntil = waiting.at + DEFERRED_MS;
    },
    clear() {
      for (const { ids } of known.values()) ids.clear();
    },
  };
}

function leak(waiting: Waiting, at: number, perSecond: number): void {
  // A clock that was set back must not stop it for long.
  const gone = Math.floor((Math.max(0, at - waiting.at) * perSecond) / 1000);
  if (gone > 0 || at < waiting.at || waiting.ids.size === 0) waiting.at = at;
  if (gone >= waiting.ids.size) return waiting.ids.clear();
  let left = gone;
  for (const id of waiting.ids) {
    if (left === 0) break;
    waiting.ids.delete(id);
    left -= 1;
  }
}

type State = 'waiting' | 'prioritized' | 'delayed';
type Counted = { getJobCounts(...states: State[]): Promise<Record<string, number>> };

const LOOK_MS = 1_000;

/** Turns on a queue. What other processes did of what this one added is seen at the latest when no job is in these states: everything was done. */
export function createQueueScheduler(queue: Counted, states: readonly State[], options: FairSchedulerOptions): FairScheduler {
  const scheduler = createFairScheduler(options);
  let lookAt = 0;

  async function look(): Promise<void> {
    const counts = await queue.getJobCounts(...states);
    if (Object.values(counts).every((count) => count === 0)) scheduler.clear();
  }

  return {
    ...scheduler,
    take(connectionId, ids) {
      const priority = scheduler.take(connectionId, ids);
      if (priority > 0 && options.now() >= lookAt) {
        lookAt = options.now() + LOOK_MS;
        // A queue that is down is reported by anyone who adds to it.
        look().catch(() => undefined);
      }
      return priority;
    },
  };
}
