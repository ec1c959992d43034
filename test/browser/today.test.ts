import { expect, test } from 'vitest';
import { openAs, wrongIn } from '../support/console/look-at.ts';
import { signIn } from '../support/console/signed-in.ts';
import { longTest } from '../support/long-test.ts';
import { drawn } from '../support/run-size.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const DAYS = 'from=2026-11-01&to=2026-11-30';

test('Today, the lists by days, the search, and a page that is not there, in every way', { timeout: 480_000 }, async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { number: '#104217', payment: { method: 'econt_pay' } }) });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('2', { number: '#104218' }) });
  await it.bridge.settled(connected, '1', 'review');
  await it.bridge.settled(connected, '2', 'recorded');
  const { cookie } = await signIn(it.bridge);
  await it.bridge.pool.query(`update people set left_at = now() - interval '1 day'`);
  const visitor = { url: it.bridge.app.url, cookie };
  const lists = [
    `/console/orders?${DAYS}&sort=-4`,
    `/console/activity?${DAYS}`,
    `/console/stores?${DAYS}`,
    `/console/destinations?${DAYS}`,
    '/console/webhooks',
    '/console/find?q=104',
    '/console/find?q=nothing',
    '/console/review',
  ];

  expect(await wrongIn(visitor, '/console', ...drawn(lists, 4))).toEqual([]);
  expect(await wrongIn({ ...visitor, status: 404 }, '/console/nowhere')).toEqual([]);
});

test('the cards of Today begin and end at one height at each desktop width', async () => {
  await using it = await world();
  await it.bridge.connect({ name: 'Corner' });
  const { cookie } = await signIn(it.bridge);
  await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 1440, theme: 'light', script: false });
  const { page } = opened;
  await page.goto(`${it.bridge.app.url}/console`);
  for (const width of [1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const edges = await page.evaluate<[top: number, bottom: number][]>(
      `[...document.querySelectorAll('.cards > .card')].map((card) => card.getBoundingClientRect()).map(({ top, bottom }) => [Math.round(top), Math.round(bottom)])`,
    );
    expect(edges).toHaveLength(4);
    expect([width, edges]).toEqual([width, edges.map(() => edges[0])]);
  }
});

test('on a phone the header is one row, an order two lines, and what is pressed is 44 px high', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: 'econt_pay' } }) });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('2') });
  await it.bridge.settled(connected, '1', 'review');
  await it.bridge.settled(connected, '2', 'recorded');
  const { cookie } = await signIn(it.bridge);
  await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 390, theme: 'light', script: false });
  const { page } = opened;
  const heights = (selector: string) =>
    page.evaluate<number[]>(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.getBoundingClientRect().height).filter((height) => height > 0)`,
    );
  for (const path of ['/console', '/console/orders', '/console/review']) {
    await page.goto(`${it.bridge.app.url}${path}`);
    expect([path, Math.max(...(await heights('header.bar'))) < 72]).toEqual([path, true]);
    const low = (await heights('main a.verb, main .verbs button, main table.list td:first-child > a, header.bar summary')).filter((height) => height < 44);
    expect([path, low]).toEqual([path, []]);
    // Of an order that waits, why it does may take more.
    if (path === '/console/orders') expect(Math.min(...(await heights('.orders tbody tr')))).toBeLessThan(100);
  }
});

longTest('with the keyboard alone: days are chosen on each list, and its rows are moved among', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.settled(connected, '1', 'recorded');
  const { cookie } = await signIn(it.bridge);
  await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 1440, theme: 'light', script: true });
  const { page } = opened;
  for (const path of ['/console/orders', '/console/activity', '/console/stores', '/console/webhooks']) {
    await page.goto(`${it.bridge.app.url}${path}`);
    await page.getByRole('link', { name: 'last 7 days' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/from=/);
    await page.keyboard.press('j');
    if (path !== '/console/orders') expect(await page.locator('main table.list tbody tr a:focus').count()).toBe(1);
  }
  expect(opened.problems).toEqual([]);
});
