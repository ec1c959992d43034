export type BatcherOptions = {
  /** Most items in one run. */
  max: number;
  /** Runs under way at once. */
  parallel?: number;
};

type Waiting<I, O> = { item: I; resolve: (value: O) => void; reject: (reason: unknown) => void };

/**
 * Group commit: items that arrive during a run go together into the next one. A single item does not wait.
 * `run` returns results in the order of its items; if it throws, each of its callers gets that error.
 */
export function batcher<I, O>(run: (items: I[]) => Promise<O[]>, { max, parallel = 1 }: BatcherOptions): (item: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = [];
  let running = 0;

  async function flush(): Promise<void> {
    const batch = waiting.splice(0, max);
    running += 1;
    try {
      const results = await run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error(`a batch of ${batch.length} was answered with ${results.length} results`);
      batch.forEach(({ resolve }, i) => {
        resolve(results[i] as O);
      });
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown);
    } finally {
      running -= 1;
      next();
    }
  }

  function next(): void {
    if (waiting.length > 0 && running < parallel) void flush();
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // A tick later, so that items of the same tick go together.
      queueMicrotask(next);
    });
}
