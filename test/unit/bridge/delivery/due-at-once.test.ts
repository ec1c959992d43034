import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dueWorld, RECORDED } from '../../../support/attempts/due-world.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a recorder may begin attempts at once', () => {
  test('as many as there are slots, of which others are not told meanwhile', async () => {
    await using it = dueWorld({ concurrency: 4 });
    await pass(10);
    expect(await it.due.capacity(3)).toEqual({ size: 3, notOf: [], notTo: [] });
    expect(await it.due.capacity(3)).toMatchObject({ size: 1 });
    expect(await it.due.capacity(3)).toBeNull();

    it.take('b', 2, 3);
    it.take('c', 0, 1);

    expect(it.processed()).toEqual([1, 2]);
    expect(await it.due.capacity(3)).toMatchObject({ size: 2 });
    it.take('c', 2, 2);
    expect(await it.due.capacity(3)).toBeNull();
  });

  test('and what waits in the ledger is processed before the next ones', async () => {
    await using it = dueWorld({ concurrency: 4 });
    await pass(10);
    await it.due.capacity(4);
    it.add('b', 4);
    await pass(600);
    expect(it.processed()).toEqual([]);

    it.due.take([], 4);
    expect(await it.due.capacity(4)).toBeNull();
    await pass(600);

    expect(it.processed()).toEqual([1, 2, 3, 4]);
  });

  test('but not while somebody has paused the queue, or a destination is paused', async () => {
    await using it = dueWorld();
    await pass(10);
    it.pause(true);
    expect(await it.due.capacity(1)).toBeNull();
    it.pause(false);
    expect(await it.due.capacity(1)).not.toBeNull();

    await using elsewhere = dueWorld({ somePause: true });
    expect(await elsewhere.due.capacity(1)).toBeNull();
  });

  test('but not while more waits in the ledger than fits: those are older', async () => {
    await using it = dueWorld({ concurrency: 2 });
    it.add('b', 3);
    await pass(50);
    it.end(RECORDED);
    // A slot is free, and the third one has not been claimed yet.
    expect(await it.due.capacity(1)).toBeNull();
    await pass(50);
    expect(it.processed()).toEqual([1, 2, 3]);
    it.end(RECORDED);
    it.end(RECORDED);
    await pass(50);

    expect(await it.due.capacity(1)).toMatchObject({ size: 1 });
  });

  test('but not while a destination has no place left, though others have', async () => {
    await using it = dueWorld({ concurrency: 2 });
    await pass(10);
    for (let n = 0; n < 2; n += 1) {
      it.take('b', 2);
      await pass(1_100);
    }
    // `b` is one connection with a destination of its own, which has no more than twice the slots.
    expect(await it.due.capacity(1)).toBeNull();
  });

  test('but not when the process ends', async () => {
    await using it = dueWorld();
    await pass(10);

    it.due.close();

    expect(await it.due.capacity(1)).toBeNull();
  });
});

describe('orders that a recorder has claimed', () => {
  test('are processed though no page names them, and are not claimed beside it, however long that takes', async () => {
    await using it = dueWorld({ concurrency: 4 });
    await pass(10);
    it.take('b', 2);
    it.endLeases();
    await pass(3_000);

    expect([it.processed(), it.claims.at(-1)?.not]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    it.end(RECORDED);
    it.end(RECORDED);
    await pass(10);
    expect(it.ended()).toBe(2);
  });

  test('more than there are slots for are processed all the same, and nothing is claimed until they are over', async () => {
    await using it = dueWorld({ concurrency: 2 });
    await pass(10);
    it.add('c', 1, { inMs: 5 });
    it.take('b', 3);
    await pass(500);
    expect(it.processedOf('b')).toBe(3);
    expect(it.processedOf('c')).toBe(0);

    it.end(RECORDED);
    await pass(30);
    expect(it.processedOf('c')).toBe(0);
    it.end(RECORDED);
    await pass(30);

    expect(it.processedOf('c')).toBe(1);
  });

  test('come to their end before the process does, even those that come after it was told to end', async () => {
    const it = dueWorld({ concurrency: 2, finishMs: 5_000 });
    await pass(10);
    it.due.close();
    it.take('b', 1);
    let isDone = false;
    const disposed = it.due[Symbol.asyncDispose]().then(() => {
      isDone = true;
    });
    await pass(1_000);
    expect([isDone, it.processed()]).toEqual([false, [1]]);

    it.end(RECORDED);
    await pass(10);
    await disposed;

    expect([it.ended(), it.cuts()]).toEqual([1, 0]);
  });
});
