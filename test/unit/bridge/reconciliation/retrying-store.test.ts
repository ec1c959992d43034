import { expect, test } from 'vitest';
import type { StoreCalls } from '../../../../src/bridge/delivery/store-calls.ts';
import { openReadableStore, retryingStore, UnreadableStore } from '../../../../src/bridge/reconciliation/open-readable-store.ts';
import type { ReadableStore } from '../../../../src/bridge/reconciliation/read-page.ts';
import type { StoreApi } from '../../../../src/bridge/storefronts/contract.ts';
import type { SoughtOrder } from '../../../../src/bridge/storefronts/store-reader.ts';
import { sampleConnection } from '../../../support/samples/sample-claim.ts';

const { signal } = new AbortController();
const NOW = Date.parse('2026-11-22T10:00:00Z');

/** A store that is asked to be called later, so many times, before it opens. */
function pausedFor(ms: number, times: number) {
  let left = times;
  return async (): Promise<ReadableStore> => {
    left -= 1;
    if (left >= 0) throw new UnreadableStore('paused', 'storefront.unreachable: 503', { until: NOW + ms });
    return Promise.reject(new Error('opened'));
  };
}

const opened = (open: () => Promise<ReadableStore>, mostMs: number) => retryingStore(open, { now: () => NOW, mostMs, signal });

test('a short pause of a store is waited for', async () => {
  await expect(opened(pausedFor(0, 2), 1_000)).rejects.toThrow('opened');
});

test('one that is longer than there is time is not', async () => {
  await expect(opened(pausedFor(20_000, 1), 10_000)).rejects.toThrow('storefront.unreachable: 503');
});

test('several are not, once they are longer together', async () => {
  await expect(opened(pausedFor(0, 5), 500)).rejects.toThrow('storefront.unreachable: 503');
});

test('nor is a turn that does not come', async () => {
  await expect(opened(() => Promise.reject(new UnreadableStore('full', 'as many are read as may be')), 500)).rejects.toThrow('as many are read');
});

test('orders that are too many for one call are read in several, what was read before stays', async () => {
  const asked: string[][] = [];
  const store = {
    ...{ connection: sampleConnection(), storeName: null, ordersAtOnce: 4, changedSince: () => Promise.reject(new Error('nothing is listed')) },
    ordersById: async (sought: readonly SoughtOrder[]) => {
      const ids = sought.map(({ orderId }) => orderId);
      asked.push(ids);
      if (ids.length > 2) throw new UnreadableStore('paused', 'storefront.unreachable: longer than 60 s', { until: NOW, isCut: true });
      return { news: [], gone: ids, unknown: [] };
    },
  } satisfies ReadableStore;
  const retrying = await retryingStore(async () => store, { now: () => NOW, mostMs: 1_000, signal });
  const sought = ['1', '2', '3', '4', '5'].map((orderId) => ({ orderId, placedAt: null }));

  expect(await retrying.ordersById(sought)).toEqual({ news: [], gone: ['1', '2', '3', '4', '5'], unknown: [] });
  expect(asked).toEqual([['1', '2', '3', '4'], ['1', '2'], ['3', '4'], ['5']]);
});

test('an order that its store can’t give is left out, and holds up no other; a store that gives no answer does, and one that is wanted alone', async () => {
  /** As a store is called: so many failures in a row pause it for longer than is waited for. */
  const broken = (status: number | null, breaks = ['0']) => {
    let failures = 0;
    return {
      ...{ connection: sampleConnection(), storeName: null },
      changedSince: async () => {
        failures = 0;
        return { summaries: [], next: null };
      },
      ordersById: async (sought: readonly SoughtOrder[]) => {
        const ids = sought.map(({ orderId }) => orderId);
        if (failures === 4) throw new UnreadableStore('paused', 'storefront.unreachable: it is paused', { until: NOW + 40_000 });
        if (ids.some((id) => breaks.includes(id))) {
          failures += 1;
          throw new UnreadableStore('failed', 'storefront.unreachable: it answered 500', { until: NOW, wasTooMuch: true, status });
        }
        failures = 0;
        return { news: [], gone: ids, unknown: [] };
      },
    };
  };
  const sought = Array.from({ length: 200 }, (_, n) => ({ orderId: String(n), placedAt: null }));
  const read = async (store: ReadableStore, isOne = false) =>
    (await retryingStore(async () => store, { now: () => NOW, mostMs: 2_000, signal, isOne })).ordersById(isOne ? sought.slice(0, 1) : sought);

  const { gone, unknown } = await read(broken(500));
  expect([gone.length, unknown]).toEqual([199, ['0']]);
  const all = sought.map(({ orderId }) => orderId);
  expect((await read(broken(500, all.slice(0, 5)))).unknown).toEqual(all.slice(0, 5));
  await expect(read(broken(500, all))).rejects.toThrow('storefront.unreachable: it answered 500');
  await expect(read(broken(null))).rejects.toThrow('storefront.unreachable');
  await expect(read(broken(500), true)).rejects.toThrow('storefront.unreachable');
});

test('a store that fails for a moment leaves no order out', async () => {
  let failures = 0;
  const answer = async <T>(given: T) => {
    failures += 1;
    if (failures > 4) return given;
    throw new UnreadableStore('failed', 'storefront.unreachable: it answered 502', { until: NOW, wasTooMuch: true, status: 502 });
  };
  const store: ReadableStore = {
    ...{ connection: sampleConnection(), storeName: null, changedSince: () => answer({ summaries: [], next: null }) },
    ordersById: (sought) => answer({ news: [], gone: sought.map(({ orderId }) => orderId), unknown: [] }),
  };
  const sought = Array.from({ length: 20 }, (_, n) => ({ orderId: String(n), placedAt: null }));
  const retrying = await retryingStore(async () => store, { now: () => NOW, mostMs: 2_000, signal });

  expect(await retrying.ordersById(sought)).toEqual({ news: [], gone: sought.map(({ orderId }) => orderId), unknown: [] });
});

test('by which name a store is called is asked of it again after an hour, and at another address at once', async () => {
  const call: StoreCalls['call'] = async (_store, read) => ({ kind: 'read', value: await read(async () => ({ status: 200, body: null }), signal) });
  const nothing = () => Promise.reject(new Error('nothing is read'));
  const api = { changedSince: nothing, ordersById: nothing, storeName: async ({ url }: { url: string }) => `${url}, asked` } as Partial<StoreApi> as StoreApi;
  const keys = { tokens: () => undefined as never, apps: { find: async () => null } };
  const nameAt = async (url: string, minutesAgo: number) => {
    const name = { value: 'https://shop.example', at: new Date(NOW - minutesAgo * 60_000).toISOString(), url: 'https://shop.example' };
    const opening = { connection: sampleConnection(), access: { url }, api, name, signal };
    return (await openReadableStore({ ...keys, stores: { call, paused: async () => null }, now: () => NOW }, opening)).name;
  };

  expect(await nameAt('https://shop.example', 59)).toMatchObject({ value: 'https://shop.example' });
  expect(await nameAt('https://shop.example', 61)).toMatchObject({ value: 'https://shop.example, asked' });
  const moved = { value: 'https://staging.example, asked', at: new Date(NOW).toISOString(), url: 'https://staging.example' };
  expect(await nameAt('https://staging.example', 1)).toEqual(moved);
});
