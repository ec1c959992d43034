import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Processed } from '../../../../src/bridge/delivery/process-order.ts';
import { dueWorld, RECORDED } from '../../../support/attempts/due-world.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('an order whose attempt leaves it due', () => {
  const ends: [string, Processed][] = [
    ['because its destination is paused', { kind: 'paused', why: 'compliance.throttled: 429' }],
    ['because nothing is new', { kind: 'rest', state: 'queued', detail: 'nothing new', recordedMs: null }],
    ['because its store must be called, which is done apart', { kind: 'fetch', host: 'corner.example' }],
  ];

  test.each(ends)('%s, is processed once a second, and does not hold up others', async (_why, outcome) => {
    await using it = dueWorld();
    const { add, always, processed, claims } = it;
    always((orderId) => (orderId === 1 ? outcome : RECORDED));
    add('b', 1);
    add('c', 3);

    await pass(5_000);

    expect(processed().filter((id) => id === 1).length).toBeLessThanOrEqual(6);
    expect(processed().filter((id) => id !== 1)).toEqual([2, 3, 4]);
    expect(claims.length).toBeLessThan(40);
  });

  test('until its store was called is handed on to be processed with a call of it', async () => {
    await using it = dueWorld();
    const { add, always, fetched } = it;
    always(() => ({ kind: 'fetch', host: 'corner.example' }));
    add('b', 1);

    await pass(100);

    expect(fetched).toEqual([{ orderId: 1, host: 'corner.example' }]);
  });
});

describe('an attempt that throws', () => {
  test('is retried, later each time, and others go on', async () => {
    await using it = dueWorld();
    const { add, always, failures, processed } = it;
    always((orderId) => {
      if (orderId === 1) throw new Error('the database is down');
      return RECORDED;
    });
    add('b', 1);
    add('c', 4);

    await pass(60_000);

    expect(processed().filter((id) => id !== 1)).toEqual([2, 3, 4, 5]);
    expect(failures.map(({ orderId, attempt }) => [orderId, attempt])).toEqual([1, 2, 3, 4, 5, 6, 7].map((attempt) => [1, attempt]));
    const waits = failures.slice(1).map(({ at }, n) => at - (failures[n]?.at ?? 0));
    // With a random of 0: half a second, doubled each time.
    for (const [n, wait] of waits.entries()) expect(wait / (500 * 2 ** n)).toBeCloseTo(1, 0);
  });

  test('once and then succeeds begins anew at the next failure', async () => {
    await using it = dueWorld();
    const { add, always, failures } = it;
    let firstAttempts = 0;
    always(() => {
      firstAttempts += 1;
      if (firstAttempts !== 2) throw new Error('broken');
      return { kind: 'again', ms: 50, why: 'later' };
    });
    add('b', 1);

    await pass(2_000);

    expect(failures.slice(0, 2).map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  test('because a row can’t be read is reported, and others go on', async () => {
    await using it = dueWorld();
    const { add, unreadable, failures, processed } = it;
    unreadable(9);
    add('b', 2);

    await pass(100);

    expect(failures).toMatchObject([{ orderId: 9, attempt: 1 }]);
    expect(processed()).toEqual([1, 2]);
  });
});
