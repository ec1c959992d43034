import { describe, expect, test } from 'vitest';
import { findOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { merchantAtStep, merchantOf } from '../../support/connect/merchant-at-step.ts';
import { formOf } from '../../support/console/form-of.ts';
import { startWooServer } from '../../support/servers/woo/start-woo-server.ts';
import { usualSettings } from '../../support/servers/woo/woo-settings.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const BARE = { vatGroups: {}, payments: {}, transactionWaitSeconds: 0 };
const statuses = [{ slug: 'econt-delivered', name: 'Доставена с Еконт' }];

/** A store with orders of each kind, connected on trial, and a merchant who comes to this page. */
async function wooAtMapping(it: World) {
  const store = await startWooServer({ now: Date.now, settings: { ...usualSettings, statuses, roundAtSubtotal: true } });
  const { floor } = store;
  for (let i = 0; i < 3; i += 1) floor.buy();
  floor.buy({ gateway: 'bacs' });
  floor.buy({ items: [{ cents: 1090, rate: 9, name: 'Книга' }] });
  floor.setStatus(floor.buy({ gateway: 'cod', paid: false }).id, 'completed');
  floor.buy({ gateway: 'cod', paid: false, values: { status: 'econt-delivered' } });
  floor.buy({ paid: false });
  const connected = await it.bridge.connect({ platform: 'woocommerce', name: 'Corner', access: store.access(), settings: BARE, trial: true });
  return { store, connected, way: await merchantAtStep(it.bridge, connected, 'mapping') };
}

test('what a store’s last orders mean is shown, asked and saved, and nothing is recorded', async () => {
  await using it = await world();
  const { store, connected, way } = await wooAtMapping(it);
  await using _closed = store;
  const merchant = merchantOf(it.bridge.app.url);
  const path = `${way.base}/mapping`;

  const { text } = await merchant.get(path);

  expect(text).toContain('Погледнахме поръчките ви от последните 30 дни (8)');
  expect(text).toMatch(/3 от 6 поръчки биха били записани: 72,00\s€/);
  expect(text).toMatch(/3 въпроса по-долу чакат отговора ви\. Ако потвърдите предложеното по-долу, ще са 6 от 6: 130,90\s€/);
  expect(text).toContain('За начина на плащане още не е избран вид.');
  expect(text).toContain('още не е платена: 2 поръчки');
  expect(text).toMatch(/20 % <span class="soft">в 7 поръчки<\/span> <span class="tag ok">сигурно/);
  expect(text).toMatch(/9 % <span class="soft">в 1 поръчка<\/span> <span class="tag attention">потвърдете/);
  expect(text).toMatch(/Карта <code>stripe<\/code>.*сигурно.*Stripe/s);
  expect(text).not.toContain('cheque');
  expect(text).not.toContain('sk_live_secret');

  const form = formOf(text, path);
  expect(form).toMatchObject({ rate: ['9'], group: ['GROUP_D'], gateway: ['cod', 'bacs'], type: ['POSTAL_PAYMENT', 'BANK_TRANSFER'] });
  expect(text).toMatch(/name="on-delivery" value="cod" checked/);
  const nameless = await merchant.post(path, { ...form, type: ['POSTAL_PAYMENT', 'PAYMENT_PROCESSOR'], act: 'save' });
  expect([nameless.status, nameless.text.includes('За доставчик на платежни услуги са нужни името и номерът му')]).toEqual([422, true]);
  expect(text).toMatch(/name="cod-paid" value="completed" checked/);
  const open = await merchant.post(path, { ...form, 'on-delivery': 'bacs', act: 'save' });
  expect([open.status, open.text.includes('Кажете кога се записват поръчките, които се плащат при доставката.')]).toEqual([422, true]);
  const saved = await merchant.post(path, { ...form, 'on-delivery': 'cod', 'cod-paid': 'completed', 'paid-status': 'econt-delivered', act: 'save' });

  expect([saved.status, saved.location]).toEqual([303, `${way.base}/trial`]);
  const { settings } = (await it.bridge.app.core.connections.find(connected.connection.id)) ?? {};
  expect(settings).toMatchObject({
    vatGroups: { '9': 'GROUP_D' },
    payments: { cod: { paymentType: 'POSTAL_PAYMENT' }, bacs: { paymentType: 'BANK_TRANSFER' } },
    ...{ codGateways: ['cod'], paidStatuses: ['econt-delivered'] },
  });
  expect((await findOnboarding(it.bridge.pool, way.id))?.done).toContain('mapping');
  const again = (await merchant.get(path)).text;
  expect(again).toMatch(/7 от 7 поръчки биха били записани: 154,90\s€/);
  expect(again).toContain('казано от вас');
  await merchant.post(path, { ...formOf(again, path), 'on-delivery': 'cod', 'paid-status': 'econt-delivered', 'cod-paid': 'processing', act: 'save' });
  expect(await it.bridge.app.core.connections.find(connected.connection.id)).toMatchObject({ settings: { codPaidWhen: 'processing', codGateways: ['cod'] } });
  expect((await merchant.post(path, { ...form, act: 'save' })).status).toBe(409);
  expect(it.service.requests('POST')).toEqual([]);
  // What the store said is kept for some minutes; a press looks again.
  const asked = store.asked.length;
  await merchant.get(`${path}?inspect=again`);
  expect(store.asked.length).toBeGreaterThan(asked);
  const looked = async () => (await merchant.get(`${path}?inspect=again`)).status;
  // On a slow machine one more may look between two that are slowed down.
  const isSlowed = async () => {
    const called = store.asked.length;
    const status = await looked();
    if (status === 429) expect(store.asked.length).toBe(called);
    return status === 429;
  };
  await until(isSlowed, { what: 'looking again and again to be slowed down' });
});

test('an accountant answers by a link that opens this page alone', async () => {
  await using it = await world();
  const { store, way } = await wooAtMapping(it);
  await using _closed = store;
  const merchant = merchantOf(it.bridge.app.url, 'en');

  const made = (await merchant.post(`${way.base}/mapping`, { act: 'link' })).text;
  const [, base = ''] = /<pre class="secret"[^>]*>[^<]*(\/connect\/[\w-]+)<\/pre>/.exec(made) ?? [];
  const page = await merchant.get(`${base}/mapping`);
  expect(page.text).toContain('3 of 6 orders would be recorded: €72.00');
  expect(page.text).not.toContain('A link for your accountant');
  expect((await merchant.get(`${base}/trial`)).location).toBe(`${base}/mapping`);
  const saved = await merchant.post(`${base}/mapping`, { ...formOf(page.text, `${base}/mapping`), act: 'save' });

  expect(saved.location).toBe(`${base}/mapping?saved=1`);
  expect((await merchant.get(`${base}/mapping?saved=1`)).text).toContain('It is saved.');
  // Another link can’t be made by one.
  expect((await merchant.post(`${base}/mapping`, { act: 'link' })).text).not.toContain('class="secret"');
});

describe('a store that can’t be looked at', () => {
  test.each([
    [401, 'refuses its key'],
    [503, 'does not answer now'],
  ])('since it answers %s is said to be so, and what came is shown', async (status, words) => {
    await using it = await world();
    const { store, way } = await wooAtMapping(it);
    await using _closed = store;
    store.host.intercept = () => ({ status, body: { code: 'woocommerce_rest_authentication_error' } });

    const { status: shown, text } = await merchantOf(it.bridge.app.url, 'en').get(`${way.base}/mapping`);

    expect([shown, text.includes(words), text.includes('No order has come yet.')]).toEqual([200, true, true]);
    // Loaded again at once, the page does not call it again.
    const called = store.asked.length;
    expect((await merchantOf(it.bridge.app.url, 'en').get(`${way.base}/mapping`)).text).toContain(words);
    expect(store.asked).toHaveLength(called);
  });

  test('since it is the merchant’s own: what came as webhooks is asked about', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings: BARE, trial: true });
    const way = await merchantAtStep(it.bridge, connected, 'mapping');
    const line = { id: 'a', name: 'Книга', quantity: 1, amount: '10.90', vatRate: '9' };
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { total: '10.90', lines: [line], payment: { method: '<b>epay' } }) });
    await it.bridge.send(connected, 'order.paid', { order: orderOf('2') });
    for (const id of ['1', '2']) await it.bridge.settled(connected, id, 'ignored');
    const merchant = merchantOf(it.bridge.app.url, 'en');
    const path = `${way.base}/mapping`;

    const { text } = await merchant.get(path);

    expect(text).toContain('2 orders have come from your store by now');
    expect(text).toContain('1 of 2 orders would be recorded: €48.00');
    expect(text).toContain('&lt;b&gt;epay');
    const form = formOf(text, path);
    expect(form).toMatchObject({ rate: ['9'], gateway: ['<b>epay'], type: [''] });
    await merchant.post(path, { ...form, type: 'VIRTUAL_POS', processor: '21012345', act: 'save' });
    expect((await merchant.get(path)).text).toContain('2 of 2 orders would be recorded: €58.90');
  });
});
