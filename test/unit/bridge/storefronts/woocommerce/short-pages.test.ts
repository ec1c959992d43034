import { expect, test } from 'vitest';
import { startWooReader, TEN } from '../../../../support/servers/woo/read-woo.ts';

type Reader = Awaited<ReturnType<typeof startWooReader>>;

const later = (seconds: number) => new Date(Date.parse(TEN) + seconds * 1_000).toISOString();

/** So many orders, a second apart; their ids. */
function buy({ store, clock }: Reader, count: number, apart = 1_000): string[] {
  return Array.from({ length: count }, () => {
    clock.now += apart;
    return String(store.floor.buy().id);
  });
}

async function synced(it: Reader, size: number): Promise<string[]> {
  return [...new Set((await it.list({ size })).map(({ orderId }) => orderId))];
}

test.each([true, false])('a plugin that allows smaller pages only hides no order (the store counts its pages: %s)', async (hasTotals) => {
  await using it = await startWooReader({ mostPerPage: 3, hasTotals });
  const ids = buy(it, 10);

  expect(await synced(it, 100)).toEqual(ids);
});

test.each([true, false])('nor does one that takes some out of each page hide others (the store counts its pages: %s)', async (hasTotals) => {
  await using it = await startWooReader({ hasTotals });
  const ids = buy(it, 12);
  const hidden = new Set([ids[1], ids[3], ids[11]]);
  it.store.host.leavesOut = (id) => hidden.has(String(id));

  expect(await synced(it, 4)).toEqual(ids.filter((id) => !hidden.has(id)));
});

test('a page of which all is taken out is not the last, if the store counts more', async () => {
  await using it = await startWooReader();
  const ids = buy(it, 6, 0);
  it.store.host.leavesOut = (id) => ids.slice(0, 4).includes(String(id));

  expect(await synced(it, 2)).toEqual(ids.slice(4));
});

test.each([true, false])('a store in which nothing changed since costs one request a list (the store counts its pages: %s)', async (hasTotals) => {
  await using it = await startWooReader({ hasTotals });
  buy(it, 4);
  it.store.asked.length = 0;
  await it.list({ since: later(4) });

  expect(it.store.asked).toHaveLength(2);
});
