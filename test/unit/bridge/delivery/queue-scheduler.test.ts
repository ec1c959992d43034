import { describe, expect, test } from 'vitest';
import { ALLOWANCE, createQueueScheduler } from '../../../../src/bridge/delivery/fair-scheduler.ts';

const some = (from: number) => Array.from({ length: ALLOWANCE }, (_, n) => from + n);

/** Turns on a queue with so many jobs; `at` is the clock. */
function opened(prioritized: number) {
  const seen = { at: 0, looks: 0, prioritized };
  const getJobCounts = async () => {
    seen.looks += 1;
    if (seen.prioritized < 0) throw new Error('the queue is down');
    return { waiting: 0, prioritized: seen.prioritized };
  };
  return { seen, scheduler: createQueueScheduler({ getJobCounts }, ['waiting', 'prioritized'], { perSecond: 0, now: () => seen.at }) };
}

describe('turns on a queue', () => {
  test('what other processes did is seen when the queue is empty', async () => {
    const { scheduler, seen } = opened(0);
    scheduler.take('a', some(0));
    expect(seen.looks).toBe(0);
    expect(scheduler.take('a', some(100))).toBe(1);
    await Promise.resolve();
    expect(scheduler.take('a', [1])).toBe(0);
  });

  test.each([1, -1])('while it is not empty, or down, nothing is forgotten; it is looked at once a second (%i)', async (prioritized) => {
    const { scheduler, seen } = opened(prioritized);
    scheduler.take('a', some(0));
    for (let n = 0; n < 10; n += 1) {
      expect(scheduler.take('a', [])).toBe(1);
      await Promise.resolve();
    }
    expect(seen.looks).toBe(1);
    seen.at = 1_000;
    scheduler.take('a', []);
    expect(seen.looks).toBe(2);
  });
});
