import { expect, test } from 'vitest';
import { UnreadableStore } from '../../../../src/bridge/reconciliation/open-readable-store.ts';
import type { ReadableStore } from '../../../../src/bridge/reconciliation/read-page.ts';
import { listedPages } from '../../../../src/operations/reconciliation/read-store.ts';
import { sampleConnection } from '../../../support/samples/sample-claim.ts';

/** A store of three pages that fails as told; the places that it was asked for. */
async function read(after: string | null, failure: (place: string | null, nth: number) => UnreadableStore | null): Promise<(string | null)[]> {
  const places: (string | null)[] = [];
  const store: ReadableStore = {
    ...{ connection: sampleConnection(), storeName: null, ordersById: () => Promise.reject(new Error('nothing is read whole')) },
    changedSince: async ({ after: place }) => {
      places.push(place);
      const failed = failure(place, places.length);
      if (failed !== null) throw failed;
      return { summaries: [], next: place === '2' ? null : String(Number(place ?? 0) + 1) };
    },
  };
  for await (const page of listedPages(store, { since: '2026-11-01T00:00:00.000Z', after })) expect(page.summaries).toEqual([]);
  return places;
}

const refused = new UnreadableStore('failed', 'storefront.unreachable: 410', { status: 410 });
const down = new UnreadableStore('failed', 'storefront.unreachable: 503', { status: 503 });

test('a run that goes on at a place that its store no longer takes begins anew, whatever the store answers', async () => {
  expect(await read('1', (place, nth) => (place === '1' && nth === 1 ? down : null))).toEqual(['1', null, '1', '2']);
  expect(await read(null, (place, nth) => (place === '2' && nth === 3 ? refused : null))).toEqual([null, '1', '2', null, '1', '2']);
});

test('once: a store that is down, or takes no place of its own, is not asked for ever', async () => {
  await expect(read('1', () => down)).rejects.toBe(down);
  await expect(read(null, (place) => (place === '2' ? refused : null))).rejects.toBe(refused);
  await expect(read(null, (place) => (place === '1' ? down : null))).rejects.toBe(down);
});
