import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { writeBridgeActs } from '../../src/bridge/ledger/bridge-acts.ts';
import { inTransaction } from '../../src/platform/postgres/postgres.ts';
import { openAs, wrongIn } from '../support/console/look-at.ts';
import { signIn } from '../support/console/signed-in.ts';
import { longTest } from '../support/long-test.ts';
import { inLong } from '../support/run-size.ts';
import { BY } from '../support/samples/by.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { until } from '../support/worlds/settled.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

longTest('Activity and Live, in every way; what happens appears by itself', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'ВеригамагазинисмногодългоимебезинтервалиЕООД' });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1041', { payment: { method: 'econt_pay' } }) });
  await until(async () => (await it.bridge.order(connected, '1041'))?.state === 'review', { what: 'the order to be sent to review' });
  const { cookie } = await signIn(it.bridge);
  const visitor = { url: it.bridge.app.url, cookie };

  expect(await wrongIn(visitor, '/console/activity', '/console/live')).toEqual([]);

  await using opened = await openAs(visitor, { width: 360, theme: 'light', script: true });
  // Its stream comes late, after all of it has happened.
  await opened.context.route(/console\/live\/stream/, async (route) => {
    await it.bridge.settled(connected, '1042', 'recorded');
    await route.continue();
  });
  await opened.page.goto(`${visitor.url}/console/live`);
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1042') });
  await opened.page.getByText('1042').first().waitFor();
  expect(opened.problems).toEqual([]);
});

/** As if another tab were in front, or this one again. */
async function show(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate(
    `Object.defineProperty(document, 'hidden', { value: ${!isShown}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
  );
}

const acts = (page: Page) => page.locator('#lines li').filter({ hasText: 'A paused queue runs again' }).allInnerTexts();
const subjectsOf = async (page: Page) => (await acts(page)).map((line) => /\(([^)]*)\)/.exec(line)?.[1]);

test('Live shows what happened before its stream was opened and while its tab was hidden, each line once', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const act = (subject: string) => inTransaction(pool, (tx) => writeBridgeActs(tx, [{ who: BY, act: 'queue.resumed', subject }]));
  const { connection } = await it.bridge.connect({ name: 'Corner' });
  await pool.query('insert into store_syncs (connection_id, last) values ($1, $2)', [
    connection.id,
    JSON.stringify({ at: new Date().toISOString(), kind: 'changes', seen: 7, handed: 2 }),
  ]);
  const { cookie } = await signIn(it.bridge);
  const visitor = { url: it.bridge.app.url, cookie };
  await using opened = await openAs(visitor, { width: 1280, theme: 'light', script: true });
  const { page, context } = opened;
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  await context.route(/console\/live\/stream/, async (route) => {
    asked.resolve();
    await go.promise;
    await route.continue();
  });
  const syncRuns = page.locator('#lines li[data-key^="sync"]');

  await page.goto(`${visitor.url}/console/live`);
  await asked.promise;
  await act('before the stream');
  // What the store's reading writes again is no other line.
  await pool.query('update store_syncs set missed = missed + 1');
  go.resolve();
  await page.getByText('(before the stream)').waitFor();
  await show(page, false);
  await act('while hidden');
  await show(page, true);
  await page.getByText('(while hidden)').waitFor();
  await act('afterwards');
  await page.getByText('(afterwards)').waitFor();

  expect(await subjectsOf(page)).toEqual(['afterwards', 'while hidden', 'before the stream']);
  expect(await syncRuns.count()).toBe(1);
  expect(opened.problems).toEqual([]);
});

test('Live that comes back after longer than it shows is loaded anew', async () => {
  await using it = await world({ role: 'console' });
  const { cookie } = await signIn(it.bridge);
  const visitor = { url: it.bridge.app.url, cookie };
  await using opened = await openAs(visitor, { width: 1280, theme: 'light', script: true });
  const { page } = opened;
  await page.goto(`${visitor.url}/console/live`);
  const loads = () => page.evaluate<number>(`performance.getEntriesByType('navigation').filter(({ type }) => type === 'reload').length`);
  let asked = 0;
  // As if it had been hidden since then.
  await page.route(/console\/live\/stream/, (route) => {
    asked += 1;
    const url = new URL(route.request().url());
    if (asked === 1) url.searchParams.set('mark', '2020-01-01T00:00:00.000Z/700:700:');
    return route.continue({ url: url.href });
  });
  await show(page, false);
  await show(page, true);

  await until(() => asked === 2, { what: 'the page to open its stream again' });
  expect(await loads()).toBe(1);
});

test.each(inLong(['/console', '/console/live']))('%s goes on by itself after a proxy answered in place of the server', async (path) => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  const { cookie } = await signIn(it.bridge);
  const visitor = { url: it.bridge.app.url, cookie };
  await using opened = await openAs(visitor, { width: 1280, theme: 'light', script: true });
  let asked = 0;
  await opened.context.route(/console\/(events|live\/stream)/, (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 502, body: 'Bad Gateway' }) : route.continue();
  });

  await opened.page.goto(`${visitor.url}${path}`);
  await until(() => asked > 1, { what: 'the stream to be asked for again' });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1042') });

  await opened.page
    .getByText(path === '/console' ? '€48.00' : '1042')
    .first()
    .waitFor();
});
