import { expect, test } from 'vitest';
import type { Processed } from '../../../../src/bridge/delivery/process-order.ts';
import { createStoreCallQueue, type StoreCallQueueDeps } from '../../../../src/bridge/delivery/store-call-queue.ts';
import { until } from '../../../support/worlds/settled.ts';

const done: Processed = { kind: 'rest', state: 'recorded', detail: '', recordedMs: null };

/** A queue whose attempts end when the test says so. */
function queueOf(changes: Partial<StoreCallQueueDeps> = {}) {
  const begun: number[] = [];
  const ends = new Map<number, (processed: Processed) => void>();
  const notified: number[] = [];
  const seen: string[] = [];
  const storeCalls = createStoreCallQueue({
    attempt: (orderId, { fetches }) => {
      begun.push(orderId);
      return new Promise((resolve, reject) => {
        ends.set(orderId, resolve);
        fetches.addEventListener('abort', () => reject(new Error('stopped')));
      });
    },
    traced: (_order, attempt) => attempt(),
    notify: (orders) => void notified.push(...orders.map(({ id }) => id)),
    now: () => 0,
    random: () => 0,
    onDone: ({ orderId, processed }) => seen.push(`${orderId} ${processed.kind}`),
    onFailed: (orderId, err) => seen.push(`${orderId} ${String(err)}`),
    finishMs: () => 1_000,
    ...changes,
  });
  const add = (host: string, ...ids: number[]) => {
    for (const orderId of ids) storeCalls.add({ orderId, host });
  };
  const end = (id: number, processed = done) => ends.get(id)?.(processed);
  return { storeCalls, add, end, begun, notified, seen };
}

test('two orders of a host are processed at a time, the first that came first', async () => {
  const { add, end, begun } = queueOf();
  add('a', 1, 2, 3, 4);
  expect(begun).toEqual([1, 2]);

  end(2);
  await until(() => begun.length === 3, { what: 'the next attempt' });
  expect(begun).toEqual([1, 2, 3]);
});

test('hosts take turns when all are busy: 32 at once', async () => {
  const { add, end, begun } = queueOf();
  for (let host = 0; host < 16; host += 1) add(`h${host}`, host * 100, host * 100 + 1, host * 100 + 2, host * 100 + 3);
  add('late', 9_000, 9_001);
  expect(begun).toHaveLength(32);

  end(0);
  await until(() => begun.length === 33, { what: 'the next attempt' });
  end(1);
  await until(() => begun.length === 34, { what: 'the attempt after that' });
  end(100);
  await until(() => begun.length === 35, { what: 'a third attempt' });
  expect(begun.slice(32)).toContain(9_000);
});

test('an order that waits is not taken twice, and what does not fit is dropped', async () => {
  const { add, end, begun, seen } = queueOf();
  add('a', 1, 2, 3, 3);
  for (let id = 10; id < 600; id += 1) add('a', id);
  for (let id = 1; id < 600; id += 1) {
    end(id);
    await until(() => begun.length === seen.length || begun.length >= Math.min(seen.length + 2, 502), { what: 'the next to begin', everyMs: 1 });
  }
  await until(() => seen.length === 502, { what: 'all that fit to be processed' });
  expect(begun.filter((id) => id === 3)).toEqual([3]);
  expect(begun.at(-1)).toBe(508);
});

test('an order that is to be processed again is announced; one whose attempt throws is reported', async () => {
  const { add, end, notified, seen } = queueOf();
  add('a', 1);
  end(1, { kind: 'again', ms: 5, why: 'paused' });
  await until(() => notified.length === 1, { what: 'the wake' });
  const broken = queueOf({ attempt: () => Promise.reject(new Error('the database is down')) });
  broken.add('a', 2);
  await until(() => broken.seen.length === 1, { what: 'the report' });

  expect(seen).toEqual(['1 again']);
  expect(broken.seen).toEqual(['2 Error: the database is down']);
});

test('an order for whose store other processes have all places waits for one, before those that came later', async () => {
  const { add, end, begun } = queueOf();
  add('a', 1, 2, 3);
  end(1, { kind: 'fetch', host: 'a' });
  end(2);

  await until(() => begun.length === 4, { what: 'the next look for a slot' });
  expect(begun).toEqual([1, 2, 1, 3]);
});

test('at the end of the process calls are cut off at once, and what waits is left to the sweeper', async () => {
  const { storeCalls, add, begun, seen } = queueOf({ finishMs: () => 60_000 });
  add('a', 1, 2, 3);
  await storeCalls[Symbol.asyncDispose]();
  add('a', 4);

  expect(begun).toEqual([1, 2]);
  expect(seen).toEqual([]);
});
