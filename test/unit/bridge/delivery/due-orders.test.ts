import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dueWorld, RECORDED } from '../../../support/attempts/due-world.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('orders that are due', () => {
  test('are processed by pages, for as long as there are slots', async () => {
    await using it = dueWorld({ concurrency: 4 });
    const { add, end, processed, claims } = it;
    add('b', 10);

    await pass(100);
    expect(processed()).toHaveLength(4);
    expect(claims.map(({ size }) => size)).toEqual([4]);
    for (let n = 0; n < 10; n += 1) {
      end(RECORDED);
      await pass(20);
    }

    expect(processed()).toHaveLength(10);
    expect(new Set(processed()).size).toBe(10);
  });

  test('are looked for, and wait no longer after a failure, when the clock is set back by an hour', async () => {
    await using it = dueWorld();
    const { add, always, claims, processed } = it;
    always(() => {
      throw new Error('it fails');
    });
    add('b', 1, { inMs: -4_000_000 });
    await pass(2_000);
    const before = [claims.length, processed().length] as const;

    vi.setSystemTime(Date.now() - 3_600_000);
    await pass(9_000);

    expect(claims.length - before[0]).toBeGreaterThanOrEqual(16);
    expect(processed().length).toBeGreaterThan(before[1]);
  });

  test('cost one look at half a second while nothing is', async () => {
    await using it = dueWorld();
    const { claims } = it;

    await pass(10_000);

    expect(claims.length).toBeLessThanOrEqual(22);
    expect(claims.length).toBeGreaterThanOrEqual(19);
  });

  test('are processed when they become due, not at the next look', async () => {
    await using it = dueWorld();
    const { add, processed } = it;
    await pass(10);
    add('b', 1, { inMs: 700 });

    await pass(690);
    expect(processed()).toEqual([]);
    await pass(25);

    expect(processed()).toHaveLength(1);
  });

  test('of one connection do not fill a page that is crowded', async () => {
    await using it = dueWorld({ concurrency: 4 });
    const { add, end, processedOf, claims } = it;
    add('b', 100);
    await pass(50);
    expect(processedOf('b')).toBe(4);
    add('c', 2);
    for (let n = 0; n < 4; n += 1) {
      end(RECORDED);
      await pass(20);
    }

    expect(claims.at(-1)).toMatchObject({ roundRobin: true });
    expect(processedOf('c')).toBe(2);
  });

  test('of paused destinations are left to the ledger’s turns, so that they fill no page', async () => {
    await using it = dueWorld({ somePause: true });
    const { add, claims, processed } = it;
    add('b', 3);

    await pass(50);

    expect(claims.every(({ roundRobin }) => roundRobin)).toBe(true);
    expect(processed()).toHaveLength(3);
  });
});

describe('claiming', () => {
  test('stops at once while somebody has paused the queue, and goes on when it is resumed', async () => {
    await using it = dueWorld();
    const { due, add, pause, processed, claims } = it;
    await pass(10);
    pause(true);
    const before = claims.length;
    add('b', 3);
    due.soon(0);
    await pass(5_000);
    expect([claims.length, processed()]).toEqual([before, []]);

    pause(false);
    await pass(600);

    expect(processed()).toEqual([1, 2, 3]);
  });

  test('that fails is reported and retried after a second', async () => {
    await using it = dueWorld();
    const { add, breakLedger, claimFailures, processed } = it;
    breakLedger(true);
    add('b', 1);
    await pass(3_600);
    expect(claimFailures.length).toBeGreaterThanOrEqual(3);
    expect(claimFailures.length).toBeLessThanOrEqual(5);

    breakLedger(false);
    await pass(1_100);

    expect(processed()).toEqual([1]);
  });

  test('is brought forward by `soon`, and never delayed by it', async () => {
    await using it = dueWorld();
    const { due, add, claims, processed } = it;
    await pass(100);
    const before = claims.length;
    due.soon(Date.now() + 60_000);
    await pass(450);
    expect(claims.length).toBe(before + 1);

    await pass(100);
    add('b', 1);
    due.soon(Date.now() + 50);
    due.soon(Date.now() + 300);
    await pass(60);

    expect(processed()).toEqual([1]);
  });

  test('leaves out what this process processes, though its lease is over', async () => {
    await using it = dueWorld();
    const { add, endLeases, end, claims, processed } = it;
    add('b', 2);
    await pass(50);
    endLeases();
    await pass(2_000);

    expect([processed(), claims.at(-1)?.not]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    end(RECORDED);
    await pass(600);
    expect([processed(), claims.at(-1)?.not]).toEqual([[1, 2], [2]]);
  });

  test('reports orders that another worker abandoned', async () => {
    await using it = dueWorld();
    const { add, abandoned } = it;
    add('b', 2, { abandoned: true });
    add('c', 1);

    await pass(50);

    expect(abandoned()).toBe(2);
  });
});

describe('at the end of the process', () => {
  test('no more is claimed, and running attempts come to their end', async () => {
    const { due, add, end, processed, ended, claims } = dueWorld({ concurrency: 2, finishMs: 5_000 });
    add('b', 5);
    await pass(50);
    const before = claims.length;
    let isDone = false;

    const disposed = due[Symbol.asyncDispose]().then(() => {
      isDone = true;
    });
    await pass(2_000);
    expect(isDone).toBe(false);
    end(RECORDED);
    end(RECORDED);
    await pass(10);
    await disposed;

    expect([processed().length, ended(), claims.length]).toEqual([2, 2, before]);
  });

  test('attempts that do not end in time are cut', async () => {
    const { due, add, cuts } = dueWorld({ concurrency: 2, finishMs: 1_000 });
    add('b', 2);
    await pass(50);

    const disposed = due[Symbol.asyncDispose]();
    await pass(900);
    expect(cuts()).toBe(0);
    await pass(200);
    await disposed;

    expect(cuts()).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });
});
