/** Does `work` for each item, `width` at a time; answers in order. */
export async function someAtOnce<I, O>(items: readonly I[], width: number, work: (item: I) => Promise<O>): Promise<O[]> {
  const results: O[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const index = next++;
      const item = items[index];
      if (item === undefined) return;
      results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
