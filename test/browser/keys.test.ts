import { expect, test } from 'vitest';
import { breaches, openAs, overflow } from '../support/console/look-at.ts';
import { signIn } from '../support/console/signed-in.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { until } from '../support/worlds/settled.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('by the keyboard alone: to a page, to the search, and the list of keys; not while somebody writes', async () => {
  await using it = await world();
  const { cookie } = await signIn(it.bridge);
  await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 1280, theme: 'light', script: true });
  const { page } = opened;
  await page.goto(`${it.bridge.app.url}/console/activity`);

  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  // All of it is in sight in a low window, and nothing covers anything.
  await page.setViewportSize({ width: 1280, height: 500 });
  expect(await page.evaluate('(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.getElementById("keys"))')).toBe(0);
  const [last, close] = [await page.locator('#keys dd').last().boundingBox(), await page.getByRole('button', { name: 'Close' }).boundingBox()];
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(close?.y ?? 0);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  const hasFocus = () => page.locator('#q:focus').isVisible();
  // A dialog that closes gives the focus back when it likes.
  await until(async () => (await hasFocus()) || (await page.keyboard.press('/').then(hasFocus)), { what: 'the search to have the focus' });
  await page.keyboard.type('g t?');
  expect(await page.inputValue('#q')).toBe('g t?');
  await page.locator('#q').blur();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.waitForURL('**/console');
  expect(opened.problems).toEqual([]);
});

test('back from an order, the row that was opened has the focus', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  for (const id of ['1', '2']) await it.bridge.send(connected, 'order.paid', { order: orderOf(id) });
  for (const id of ['1', '2']) await it.bridge.settled(connected, id, 'recorded');
  const { cookie } = await signIn(it.bridge);
  await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 1280, theme: 'light', script: true });
  const { page } = opened;
  await page.goto(`${it.bridge.app.url}/console/orders`);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const row = await page.locator('main tr a:focus').getAttribute('href');
  await page.keyboard.press('Enter');
  await page.waitForURL(/orders\/\d+$/);
  await page.goBack();

  await page.locator(`main tr a[href="${row}"]:focus`).waitFor();
});

test('the search shows what it finds while somebody types; arrows go among it, and Enter opens it', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { number: '#104217' }) });
  await it.bridge.settled(connected, '1', 'recorded');
  const filled = async () => (await it.bridge.pool.query('select from order_search')).rowCount === 1;
  await until(filled, { what: 'the search to be filled' });
  const { cookie } = await signIn(it.bridge);
  await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 390, theme: 'dark', script: true });
  const { page } = opened;
  await page.goto(`${it.bridge.app.url}/console/activity`);

  await page.keyboard.press('Control+k');
  await page.locator('#q:focus').waitFor();
  await page.keyboard.type('1042');
  await page.locator('.found').getByRole('link', { name: '#104217' }).waitFor();
  expect([await overflow(page), await breaches(page)]).toEqual([0, []]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.locator('#q:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.found').waitFor({ state: 'hidden' });
  // An address of a person is not looked for while it is typed, and is in no address of a page.
  await page.locator('#q').fill('maria@example.invalid');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Orders of this buyer' }).waitFor();
  expect(page.url()).toBe(`${it.bridge.app.url}/console/find`);
  await page.locator('#q').fill('4217');
  await page.locator('.found').getByRole('link', { name: '#104217' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/orders/*');
  expect(opened.problems).toEqual([]);
});
