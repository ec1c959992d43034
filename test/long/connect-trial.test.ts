import { expect, test } from 'vitest';
import { merchantAtStep } from '../support/connect/merchant-at-step.ts';
import { openAs, wrongIn } from '../support/console/look-at.ts';
import { addressOf } from '../support/samples/signed-webhooks.ts';
import { startWooServer } from '../support/servers/woo/start-woo-server.ts';
import { usualSettings } from '../support/servers/woo/woo-settings.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';
import { totals, type World } from '../support/worlds/world.ts';

const world = useSharedWorlds();

/** A store with orders of several kinds, connected on trial by a merchant. */
async function connectedStore(it: World) {
  const statuses = [{ slug: 'econt-delivered', name: 'Доставена с Еконт' }];
  const store = await startWooServer({ now: Date.now, settings: { ...usualSettings, statuses, decimals: 3, currency: 'USD' } });
  const { floor } = store;
  floor.buy({ gateway: 'bacs' });
  floor.buy({ items: [{ cents: 1090, rate: 9, name: 'Книга с много дълго име, което не се побира на един ред на телефон' }] });
  floor.setStatus(floor.buy({ gateway: 'cod', paid: false }).id, 'completed');
  const connected = await it.bridge.connect({
    platform: 'woocommerce',
    name: 'Corner',
    access: store.access(),
    settings: { vatGroups: {}, payments: {} },
    trial: true,
  });
  for (const topic of ['order.created', 'order.updated']) {
    store.webhooks.add({ topic, delivery_url: addressOf(it.bridge.app.url, connected), secret: connected.secret });
  }
  store.webhooks.queue.length = 0;
  return { store, connected };
}

test('the pages of rates and of the trial in every way', { timeout: 480_000 }, async () => {
  await using it = await world();
  const { store, connected } = await connectedStore(it);
  await using _closed = store;
  const way = await merchantAtStep(it.bridge, connected, 'trial');
  const alone = await way.link({ kind: 'step', step: 'mapping' });
  const visitor = { url: it.bridge.app.url, cookie: '' };

  expect(await wrongIn(visitor, `${way.base}/mapping`, `${alone}/mapping?saved=1`, `${way.base}/trial`)).toEqual([]);

  const order = store.floor.buy();
  await store.webhooks.runQueue();
  await it.bridge.settled(connected, String(order.id), 'ignored');
  expect(await wrongIn(visitor, `${way.base}/trial?from=day&day=2026-11-01`)).toEqual([]);
});

const ways = [
  { width: 1280, lang: 'bg', script: true, save: 'Запазете и продължете', start: 'Започнете отчитането', would: /биха били записани/ },
  { width: 360, lang: 'en', script: false, save: 'Save and continue', start: 'Start recording', would: /would be recorded/ },
] as const;

test.each(ways)(
  'a merchant confirms and starts with two clicks, at $width px in $lang',
  { timeout: 120_000 },
  async ({ width, lang, script, save, start, would }) => {
    await using it = await world();
    const { store, connected } = await connectedStore(it);
    await using _closed = store;
    const way = await merchantAtStep(it.bridge, connected, 'mapping');
    await using opened = await openAs({ url: it.bridge.app.url, cookie: '' }, { width, theme: 'light', script, lang });
    const { page, problems } = opened;
    const click = (name: string) => page.getByRole('button', { name, exact: true }).click();

    await page.goto(`${it.bridge.app.url}${way.base}`);
    await page.getByText(would).first().waitFor();
    await click(save);
    await page.waitForURL(/\/trial$/);

    const placed = store.floor.buy({ gateway: 'bacs' });
    await store.webhooks.runQueue();
    await it.bridge.settled(connected, String(placed.id), 'ignored');
    // The page looks again by itself: by script, or as a browser without it is told.
    await page.locator('#came').getByText(placed.number, { exact: true }).first().waitFor();
    expect(it.service.requests('POST')).toEqual([]);
    await click(start);

    await page.waitForURL(/\/status$/);
    await it.bridge.settled(connected, String(placed.id), 'ignored');
    const next = store.floor.buy({ gateway: 'bacs' });
    await store.webhooks.runQueue();
    await it.bridge.settled(connected, String(next.id), 'recorded');
    expect(totals(it.service, String(next.id))).toEqual(['24.00']);
    expect(problems.filter((words) => !words.includes('404'))).toEqual([]);
  },
);

test.each([true, false])('what is selected is started, not what was counted before; script: %s', async (script) => {
  await using it = await world();
  const connected = await it.bridge.connect({ trial: true });
  const way = await merchantAtStep(it.bridge, connected, 'trial');
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.settled(connected, '1', 'ignored');
  await using opened = await openAs({ url: it.bridge.app.url, cookie: '' }, { width: 360, theme: 'light', script, lang: 'en' });
  const { page } = opened;
  const path = `${it.bridge.app.url}${way.base}/trial`;
  const start = page.getByRole('button', { name: /^Start recording/ });
  const recordFrom = async () => (await it.bridge.app.core.connections.find(connected.connection.id))?.recordFrom ?? '';

  await page.goto(path);
  const before = await recordFrom();
  await page.locator('input[name="from"][value="month"]').check();
  await page.getByRole('button', { name: 'Count them', exact: true }).click();
  await page.waitForURL(/from=month/);
  await page.locator('input[name="from"][value="now"]').check();
  const pressedAt = new Date(Date.now() - 1_000).toISOString();
  await start.click();

  await page.getByText('Nothing was started').waitFor();
  expect([page.url(), await recordFrom()]).toEqual([path, before]);
  expect(await page.locator('input[name="from"]:checked').inputValue()).toBe('now');
  await start.click();
  await page.waitForURL(/\/status$/);
  expect((await recordFrom()) >= pressedAt).toBe(true);
});
