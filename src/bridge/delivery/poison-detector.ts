/** Which deliveries can't be recorded although others can. */
export type PoisonDetector = {
  recorded(ids: readonly string[]): void;
  /** True: while it failed for an hour, others were recorded. */
  failed(id: string): boolean;
};

const ENOUGH_MS = 3_600_000;
/** A process that was stopped for longer can't say that others were recorded all the time. */
const LONGEST_SPAN_MS = 300_000;
/** In an outage everything fails: that is not worth the memory. */
const MOST_KNOWN = 10_000;

/**
 * Adds up, for each delivery that fails, the time between its failures; only spans in which others were recorded count, so that no delivery is to
 * blame for an outage, however long it is. Known to this process alone.
 */
export function createPoisonDetector(now: () => number): PoisonDetector {
  const known = new Map<string, { failedAt: number; ms: number; recorded: number }>();
  let recorded = 0;
  return {
    recorded: (ids) => {
      recorded += ids.length;
      if (known.size > 0) for (const id of ids) known.delete(id);
    },
    failed: (id) => {
      const at = now();
      const before = known.get(id);
      const counts = before !== undefined && recorded > before.recorded;
      const ms = (before?.ms ?? 0) + (counts ? Math.min(at - before.failedAt, LONGEST_SPAN_MS) : 0);
      if (before === undefined && known.size >= MOST_KNOWN) forgetOldest(known);
      known.set(id, { failedAt: at, ms, recorded });
      return ms >= ENOUGH_MS;
    },
  };
}

function forgetOldest(known: Map<string, unknown>): void {
  for (const id of known.keys()) return void known.delete(id);
}
