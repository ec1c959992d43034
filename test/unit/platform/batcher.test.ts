import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type BatcherOptions, batcher } from '../../../src/platform/batcher.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const RUN_MS = 10;
const LINGER_MS = 20;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A batcher whose runs take 10 ms, what it ran and when, and how many runs were under way at once. */
function opened(options: BatcherOptions) {
  const began = Date.now();
  const runs: { at: number; items: number[] }[] = [];
  let running = 0;
  let most = 0;
  const add = batcher<number, number>(async (items) => {
    runs.push({ at: Date.now() - began, items });
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, RUN_MS));
    running -= 1;
    return items.map((item) => item * 10);
  }, options);
  return { add, runs, most: () => most };
}

describe('items that come one by one', () => {
  test('run at once, and get their own results', async () => {
    const { add, runs } = opened({ max: 8, lingerMs: LINGER_MS });
    const results: Promise<number>[] = [];
    for (const item of [1, 2, 3]) {
      results.push(add(item));
      await pass(RUN_MS + 5);
    }

    expect(runs).toEqual([
      { at: 0, items: [1] },
      { at: 15, items: [2] },
      { at: 30, items: [3] },
    ]);
    expect(await Promise.all(results)).toEqual([10, 20, 30]);
  });
});

describe('items that come together', () => {
  test('share a run, in their order, each with its own result', async () => {
    const { add, runs } = opened({ max: 8, lingerMs: LINGER_MS });

    const results = Promise.all([3, 1, 2].map(add));
    await pass(RUN_MS);

    expect(runs).toEqual([{ at: 0, items: [3, 1, 2] }]);
    expect(await results).toEqual([30, 10, 20]);
  });

  test('that come during a run go together into the next one', async () => {
    const { add, runs } = opened({ max: 8, lingerMs: LINGER_MS });
    void add(1);
    await pass(3);
    void add(2);
    await pass(3);
    void add(3);
    await pass(50);

    expect(runs).toEqual([
      { at: 0, items: [1] },
      { at: 10, items: [2, 3] },
    ]);
  });

  test('wait for more while items keep coming together, and no longer than that', async () => {
    const { add, runs } = opened({ max: 8, lingerMs: LINGER_MS });
    for (const item of [1, 2]) void add(item);
    await pass(15);
    void add(3);
    await pass(LINGER_MS - 5);
    void add(4);
    await pass(50);

    // The wait begins with the first of them, and anyone who comes later does not make it longer.
    expect(runs).toEqual([
      { at: 0, items: [1, 2] },
      { at: 15 + LINGER_MS, items: [3, 4] },
    ]);
  });

  test('make one that comes alone wait once, and the next no more', async () => {
    const { add, runs } = opened({ max: 8, lingerMs: LINGER_MS });
    for (const item of [1, 2]) void add(item);
    await pass(15);
    void add(3);
    await pass(45);
    void add(4);
    await pass(45);

    expect(runs).toEqual([
      { at: 0, items: [1, 2] },
      { at: 15 + LINGER_MS, items: [3] },
      { at: 60, items: [4] },
    ]);
  });

  test('never wait without a linger', async () => {
    const { add, runs } = opened({ max: 8 });
    for (const item of [1, 2]) void add(item);
    await pass(15);
    for (const item of [3, 4]) void add(item);
    await pass(15);

    expect(runs.map(({ at }) => at)).toEqual([0, 15]);
  });
});

describe('a run', () => {
  test('has at most so many items, and does not wait once it is full', async () => {
    const { add, runs } = opened({ max: 3, lingerMs: LINGER_MS });
    for (const item of [1, 2]) void add(item);
    await pass(15);
    for (const item of [3, 4]) void add(item);
    await pass(5);
    for (const item of [5, 6]) void add(item);
    await pass(100);

    expect(runs).toEqual([
      { at: 0, items: [1, 2] },
      { at: 20, items: [3, 4, 5] },
      // It waits for company from when it could have run.
      { at: 20 + RUN_MS + LINGER_MS, items: [6] },
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([1, 2])('is one of at most %i at once, and none is left behind', async (parallel) => {
    const { add, runs, most } = opened({ max: 2, parallel });

    const results = Promise.all(Array.from({ length: 9 }, (_, item) => add(item)));
    await pass(200);

    expect(most()).toBe(parallel);
    expect(runs.flatMap(({ items }) => items)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await results).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80]);
  });

  test('that fails fails for each of its callers, and for no other', async () => {
    const add = batcher<string, string>(
      async (items) => {
        if (items.includes('bad')) throw new Error('it can’t be written');
        return items;
      },
      { max: 2 },
    );

    const results = await Promise.allSettled(['a', 'bad', 'c', 'd'].map(add));

    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))).toEqual([
      'it can’t be written',
      'it can’t be written',
      'c',
      'd',
    ]);
    expect(await add('e')).toBe('e');
  });

  test('with another number of results than of items fails: nobody gets the result of another', async () => {
    const add = batcher<string, string>(async (items) => items.slice(1), { max: 4 });

    const results = await Promise.allSettled(['a', 'b'].map(add));

    expect(results.map((result) => result.status === 'rejected' && result.reason.message)).toEqual([
      'a batch of 2 was answered with 1 results',
      'a batch of 2 was answered with 1 results',
    ]);
  });
});
