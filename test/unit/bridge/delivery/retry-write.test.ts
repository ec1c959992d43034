import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { retryWrite } from '../../../../src/bridge/delivery/process-order.ts';

/** A write that fails until it has been tried so often, and when it was tried, in ms since the start. */
function failing(times: number, error: unknown = new Error('the database is down')) {
  const tries: number[] = [];
  const began = performance.now();
  const write = async () => {
    tries.push(performance.now() - began);
    if (tries.length <= times) throw error;
    return 'written';
  };
  return { write, tries };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a write that must not be lost', () => {
  test('is made once if that works', async () => {
    const { write, tries } = failing(0);

    expect(await retryWrite(write)).toBe('written');
    expect(tries).toEqual([0]);
  });

  test('is retried, more and more rarely, until it works', async () => {
    const { write, tries } = failing(7);

    const done = retryWrite(write);
    await vi.advanceTimersByTimeAsync(10_000);

    expect(await done).toBe('written');
    expect(tries).toEqual([0, 100, 300, 700, 1_500, 3_100, 5_100, 7_100]);
  });

  test('is retried after any error: a driver may throw anything when its connection breaks', async () => {
    const { write, tries } = failing(1, new TypeError('cannot read properties of null'));

    const done = retryWrite(write);
    await vi.advanceTimersByTimeAsync(100);

    expect([await done, tries.length]).toEqual(['written', 2]);
  });

  test('is given up after a minute, with the error of the write itself', async () => {
    const error = new Error('the database is gone');
    const { write, tries } = failing(Number.POSITIVE_INFINITY, error);

    const done = expect(retryWrite(write)).rejects.toBe(error);
    await vi.advanceTimersByTimeAsync(70_000);

    await done;
    expect(tries.at(-1)).toBeGreaterThan(57_000);
    expect(tries.at(-1)).toBeLessThan(62_001);
  });
});

describe('when the process must stop', () => {
  test('the write is tried, but not retried', async () => {
    const { write, tries } = failing(1);

    await expect(retryWrite(write, AbortSignal.abort())).rejects.toThrow('the database is down');
    expect(tries).toEqual([0]);
  });

  test('a pause between two tries is not cut short: the last one may be lucky', async () => {
    const { write, tries } = failing(1);
    const stop = new AbortController();

    const done = retryWrite(write, stop.signal);
    await vi.advanceTimersByTimeAsync(50);
    stop.abort();
    await vi.advanceTimersByTimeAsync(50);

    expect([await done, tries]).toEqual(['written', [0, 100]]);
  });
});
