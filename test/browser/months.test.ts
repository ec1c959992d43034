import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAs, wrongIn } from '../support/console/look-at.ts';
import { type MonthsWorld, startMonthsWorld } from '../support/console/months-world.ts';
import { longTest } from '../support/long-test.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';
import type { World } from '../support/worlds/world.ts';

const world = useSharedWorlds();
const PHONE = { width: 360, theme: 'light', script: false } as const;

let it: World;
let w: MonthsWorld;
beforeAll(async () => {
  it = await world({ role: 'console' });
  w = await startMonthsWorld(it);
});
afterAll(async () => {
  await w?.[Symbol.asyncDispose]();
  await it?.[Symbol.asyncDispose]();
});

longTest('the board, older months, a month and what differs, in every way', async () => {
  const month = await w.october({ name: 'Магазин с много дълго име, което не се побира на телефон' });
  await month.make();
  await month.make();
  await month.reportThree();
  const owner = await w.enter({ name: 'Мария' });
  const visitor = { url: w.url, cookie: owner.cookie };

  const board = ['/console/months', '/console/months/due', `/console/months?older=1&shop=${month.shopId}`];
  expect(await wrongIn(visitor, ...board, month.path, `${month.path}/differences?first=1&second=2`)).toEqual([]);
});

test('on a phone, without script: a month with paid orders outstanding is refused with the count, and filed with its number once that is ticked', async () => {
  const month = await w.october({ name: 'Корнер' });
  await month.make();
  await month.reportThree();
  const { cookie } = await w.enter();
  await using opened = await openAs({ url: w.url, cookie }, PHONE);
  const { page } = opened;
  await page.goto(`${w.url}/console/months?shop=${month.shopId}`);
  await page.getByText('3 paid orders are not in it').waitFor();
  await page.getByRole('region', { name: 'To check' }).getByRole('link', { name: 'October 2026' }).click();
  await page.getByLabel('Incoming number').fill('2212И0012345');
  await page.getByRole('button', { name: 'Mark as filed' }).click();

  await page.getByText('Not done.').waitFor();
  expect(await page.getByRole('alert').textContent()).toContain('3 paid orders of the month are not recorded');
  expect(await page.getByLabel('Incoming number').inputValue()).toBe('2212И0012345');
  await page.getByLabel('It was filed without').check();
  await page.getByRole('button', { name: 'Mark as filed' }).click();

  await page.getByText('The month is marked as filed.').waitFor();
  await page.getByRole('link', { name: 'All months' }).click();
  const filed = page.getByRole('region', { name: 'Filed' });
  expect(await filed.textContent()).toContain('No 2212И0012345');
  expect(await filed.textContent()).toContain('filed without 3 orders');
});

longTest('the line that says that a file is made changes when it is made', async () => {
  const month = await w.october();
  const { cookie } = await w.enter();
  const client = await w.server.pool.connect();
  await client.query('begin');
  // Another process makes it.
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`audit ${month.shopId} 2026-10`]);
  await using opened = await openAs({ url: w.url, cookie }, { ...PHONE, script: true });
  const { page } = opened;
  await page.goto(`${w.url}${month.path}`);
  await page.getByRole('button', { name: 'Make the file' }).click();
  await page.getByText('The file is being made').waitFor();

  await client.query('rollback');
  client.release();
  await page.getByText('It is no longer being made').waitFor();

  await page.getByRole('link', { name: 'Show the month as it is now' }).click();
  await page.getByText('No file yet').first().waitFor();
});
