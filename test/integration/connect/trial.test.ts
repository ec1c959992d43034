import { expect, test } from 'vitest';
import { findOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { startMoment } from '../../../src/operations/trial/preview-start.ts';
import { merchantAtStep, merchantOf } from '../../support/connect/merchant-at-step.ts';
import { formOf } from '../../support/console/form-of.ts';
import { longTest } from '../../support/long-test.ts';
import { addressOf } from '../../support/samples/signed-webhooks.ts';
import { startWooServer } from '../../support/servers/woo/start-woo-server.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { totals, type World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const DAY_MS = 86_400_000;
/** The page that the merchant keeps. */
const LASTING = expect.stringMatching(/^\/connect\/[\w-]{43}\/status$/);

async function wooOnTrial(it: World) {
  // Its orders are some days old.
  let now = Date.now() - 2 * DAY_MS;
  const store = await startWooServer({ now: () => now });
  const connected = await it.bridge.connect({ platform: 'woocommerce', name: 'Corner', access: store.access(), trial: true });
  for (const topic of ['order.created', 'order.updated']) {
    store.webhooks.add({ topic, delivery_url: addressOf(it.bridge.app.url, connected), secret: connected.secret });
  }
  const goOn = () => {
    now = Date.now();
  };
  return { store, connected, goOn, way: await merchantAtStep(it.bridge, connected, 'trial') };
}

test('an order about which we would ask the merchant leads to where they answer', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ trial: true });
  const way = await merchantAtStep(it.bridge, connected, 'trial');
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: 'Econt' } }) });
  await it.bridge.settled(connected, '1', 'ignored');

  const { text } = await merchantOf(it.bridge.app.url).get(`${way.base}/trial`);

  expect(text).toMatch(new RegExp(`ще ви попитаме: За начина на плащане още не е избран вид. <a href="${way.base}/mapping">`));
});

test('the newest order stands beside its record, a test order is watched as it comes, and the start takes in what the store alone has', async () => {
  await using it = await world({ config: { reconcileSeconds: 900 } });
  const { store, connected, goOn, way } = await wooOnTrial(it);
  await using _closed = store;
  const before = store.floor.buy({ items: [{ cents: 1200, quantity: 2, name: 'Чаша' }], shipping: { cents: 500 } });
  store.webhooks.queue.length = 0;
  const merchant = merchantOf(it.bridge.app.url);
  const path = `${way.base}/trial`;

  const first = (await merchant.get(path)).text;
  expect(first).toContain(`Поръчка ${before.number}, както би била отчетена`);
  expect(first).toMatch(/Чаша<\/td>.*20 %.*2 бр\. = 24,00\s€.*2 бр\. = 24,00\s€/s);
  expect(first).toMatch(/Общо.*29,00\s€.*29,00\s€/s);
  expect(first).toContain('Двете суми съвпадат до цент.');
  expect(first).toContain('Още не е дошла поръчка.');
  expect(first).toContain('http-equiv="refresh"');
  expect(first).toContain('Това не обхваща никоя от дошлите поръчки');

  const day = new Date(Date.now() - 5 * DAY_MS).toISOString().slice(0, 10);
  const waiting = (await merchant.get(`${path}?from=day&day=${day}`)).text;
  expect(waiting).toMatch(/Магазинът има още 1 поръчка отпреди да бъде свързан: 29,00\s€\./);
  // It is renewed while it waits; what was counted is kept for a minute.
  const asked = store.asked.length;
  for (let time = 0; time < 3; time += 1) expect((await merchant.get(`${path}?from=day&day=${day}`)).text).toContain('29,00');
  expect(store.asked).toHaveLength(asked);

  goOn();
  const fresh = store.floor.buy();
  await store.webhooks.runQueue();
  await it.bridge.settled(connected, String(fresh.id), 'ignored');
  const came = (await merchant.get(path)).text;
  expect(came).toMatch(/би била записана: 24,00\s€/);
  expect(came).not.toContain('http-equiv="refresh"');
  expect((await merchant.get(`${path}?from=day&day=1999-01-01`)).text).toContain('Изберете ден от последната година.');
  const counted = (await merchant.get(`${path}?from=day&day=${day}`)).text;
  expect(counted).toMatch(/Това обхваща 1 поръчка: 24,00\s€\./);
  expect(counted).toMatch(/Магазинът има още 1 поръчка отпреди да бъде свързан: 29,00\s€\./);
  expect(it.service.requests('POST')).toEqual([]);

  // Pressed twice at once: one of them leads to the address that lasts.
  const started = await Promise.all([1, 2].map(() => merchant.post(path, { ...formOf(counted, path), from: 'day' })));

  expect(started.map(({ status }) => status)).toEqual([303, 303]);
  expect(started.map(({ location }) => location).filter((one) => one !== `${way.base}/status`)).toEqual([LASTING]);
  for (const id of [fresh.id, before.id]) await it.bridge.settled(connected, String(id), 'recorded');
  expect([totals(it.service, String(fresh.id)), totals(it.service, String(before.id))]).toEqual([['24.00'], ['29.00']]);
  expect(await findOnboarding(it.bridge.pool, way.id)).toMatchObject({ startedAt: expect.any(String), done: expect.arrayContaining(['trial']) });
  // Pressed again.
  expect((await merchant.post(path, { ...formOf(counted, path), from: 'day' })).location).toBe(`${way.base}/status`);
  expect((await merchant.get(path)).location).toBe(`${way.base}/status`);
});

longTest(
  'from now on: what was paid before is left out; started by somebody else, or by one who died, their way is ended with it, and the next look leads to what they keep',
  async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ trial: true });
    const way = await merchantAtStep(it.bridge, connected, 'trial');
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await it.bridge.settled(connected, '1', 'ignored');
    const merchant = merchantOf(it.bridge.app.url, 'en');
    const path = `${way.base}/trial`;
    const month = formOf((await merchant.get(`${path}?from=month`)).text, path);
    expect(month).toMatchObject({ counted: [startMoment('month', new Date())] });
    const { text } = await merchant.get(path);
    expect(formOf(text, path)).toMatchObject({ counted: ['now'] });
    expect(text).toContain('Your order #1, as it would be recorded');
    expect((await merchant.post(path, { ...formOf(text, path), from: 'now', seen: 'other' })).status).toBe(409);

    await it.bridge.app.core.connections.startRecording(connected.connection.id, new Date().toISOString());
    const ended = await findOnboarding(it.bridge.pool, way.id);
    expect(ended).toMatchObject({ startedAt: expect.any(String), done: expect.arrayContaining(['trial']) });
    expect((await merchant.get(path)).location).toEqual(LASTING);
    expect((await merchant.get(path)).location).toBe(`${way.base}/status`);

    expect(await findOnboarding(it.bridge.pool, way.id)).toEqual(ended);
    await until(async () => (await it.bridge.order(connected, '1'))?.state === 'ignored', { what: 'the order to be left out' });
    expect(it.service.requests('POST')).toEqual([]);
    await it.bridge.app.core.connections.close(connected.connection.id);
    expect(await merchant.get(path)).toMatchObject({ status: 409, text: expect.stringContaining('no longer connected') });
  },
);
