import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAs, wrongIn } from '../support/console/look-at.ts';
import { signIn } from '../support/console/signed-in.ts';
import { startChromium } from '../support/servers/chromium.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { until } from '../support/worlds/settled.ts';
import { useWorlds } from '../support/worlds/world.ts';

const world = useWorlds();
let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser?.close());

test('Activity and Live, in every way; what happens appears by itself', { timeout: 180_000 }, async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'ВеригамагазинисмногодългоимебезинтервалиЕООД' });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1041', { payment: { method: 'econt_pay' } }) });
  await until(async () => (await it.bridge.order(connected, '1041'))?.state === 'parked', { what: 'the order to be parked' });
  const { cookie } = await signIn(it.bridge);
  const visitor = { url: it.bridge.app.url, cookie };

  expect(await wrongIn(browser, visitor, '/console/activity', '/console/live')).toEqual([]);

  await using opened = await openAs(browser, visitor, { width: 390, theme: 'light', script: true });
  await opened.page.goto(`${visitor.url}/console/live`);
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1042') });
  await opened.page.getByText('1042').first().waitFor();
  expect(opened.problems).toEqual([]);
});

test.each(['/console', '/console/live'])('%s goes on by itself after a proxy answered in place of the server', async (path) => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  const { cookie } = await signIn(it.bridge);
  const visitor = { url: it.bridge.app.url, cookie };
  await using opened = await openAs(browser, visitor, { width: 1280, theme: 'light', script: true });
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
