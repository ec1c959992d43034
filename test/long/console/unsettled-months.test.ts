import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MonthsWorld, startMonthsWorld } from '../../support/console/months-world.ts';
import { returnsAlone } from '../../support/worlds/returns-alone.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

let it: World;
let w: MonthsWorld;
beforeAll(async () => {
  it = await world({ role: 'console' });
  w = await startMonthsWorld(it);
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await it[Symbol.asyncDispose]();
});

test('F6: returns that no file can tell are settled by a form of their own, and not by saying that there is nothing', async () => {
  const month = await w.october({ orders: 0 });
  await returnsAlone(w, month.shopId);
  const owner = await w.enter();
  await month.send(owner, 'make');

  const page = (await owner.get(month.path)).text;
  expect(page).toContain('October 2026 has 1 return, but no order for the audit file');
  expect(page).toContain('Mark as dealt with');
  const refused = await month.send(owner, 'nothing', { note: 'Няма' });
  expect([refused.status, refused.text.includes('Write how they were dealt with')]).toEqual([409, true]);
  const path = `/console/months/${month.shopId}/2026-11`;
  expect((await owner.get(path)).text).toContain('No file tells the returns of October 2026:');

  expect((await month.send(owner, 'nothing', { note: 'Коригирано в дневника', withReturns: 'yes' })).status).toBe(303);

  expect((await owner.get(path)).text).not.toContain('No file tells');
  expect((await owner.get(month.path)).text).toContain('said how the returns were dealt with');
});

test('F1: the page says which number the file has, and which the shop', async () => {
  const month = await w.october();
  await month.make();
  await w.call('PUT', `/shop/${month.shopId}`, { body: { nraNumber: 'RF9999991' } });
  const owner = await w.enter();

  const { text } = await owner.get(month.path);

  expect(text).toContain('E-shop No: RF0000123 → RF9999991.');
  expect(text).toContain('lacks 1 change since it was made.');
  expect((await owner.get(`${month.path}/files/1.xml`)).headers.get('content-disposition')).toContain('audit_RF0000123_2026-10_v1.xml');
});
