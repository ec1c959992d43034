export type BatcherOptions = {
  /** Most items in one run. */
  max: number;
  /** Runs under way at once. */
  parallel?: number;
  /** While items come together, a run waits so many ms for more; absent: it never waits. */
  lingerMs?: number;
};

type Waiting<I, O> = { item: I; resolve: (value: O) => void; reject: (reason: unknown) => void };

/**
 * Group commit: items that arrive during a run go together into the next one. A single item does not wait, as long as the one before it was single, too.
 * `run` returns results in the order of its items; if it throws, each of its callers gets that error.
 */
export function batcher<I, O>(run: (items: I[]) => Promise<O[]>, { max, parallel = 1, lingerMs = 0 }: BatcherOptions): (item: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = [];
  let running = 0;
  let hadCompany = false;
  let linger: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    const batch = waiting.splice(0, max);
    hadCompany = batch.length > 1;
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
    if (waiting.length === 0 || running >= parallel) return;
    if (waiting.length < max && hadCompany && lingerMs > 0) {
      linger ??= setTimeout(() => {
        linger = undefined;
        hadCompany = false;
        next();
      }, lingerMs);
      return;
    }
    clearTimeout(linger);
    linger = undefined;
    void flush();
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // A tick later, so that items of the same tick go together.
      queueMicrotask(next);
    });
}
