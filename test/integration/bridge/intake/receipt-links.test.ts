import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { erase } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { addressOf } from '../../../support/samples/signed-webhooks.ts';
import { type Connected, orderOf, standardHeaders } from '../../../support/worlds/bridge.ts';
import { startLiveWooStore } from '../../../support/worlds/live-woo-store.ts';
import { ownShop } from '../../../support/worlds/own-service.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import type { World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

type Asked = { status: number; headers: Headers; body: { url?: string; expiresAt?: string; detail?: string; orders?: Record<string, unknown>[] } };
type Signed = { body: string; headers: Record<string, string>; path?: string };

async function ask({ bridge }: World, connected: Connected, { body, headers, path = 'receipt-link' }: Signed): Promise<Asked> {
  const answer = await fetch(`${addressOf(bridge.app.url, connected)}/${path}`, { method: 'POST', body, headers });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
}

const STATES = 'order-states';
const ofOrder = (order: string) => JSON.stringify({ order });

function askStates(it: World, connected: Connected, asked: { orders: readonly string[]; lang: string }): Promise<Asked> {
  const body = JSON.stringify(asked);
  return ask(it, connected, { body, headers: standardHeaders(connected.secret, body), path: STATES });
}

/** As the plugin signs: the secret of WooCommerce is its key as it is. */
function wooHeaders(secret: string, body: string, seconds = Math.floor(Date.now() / 1000)): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`msg_1.${seconds}.${body}`).digest('base64');
  return { 'content-type': 'application/json', 'webhook-id': 'msg_1', 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}

test('a store is given a link of a few minutes to the receipt of its order', async () => {
  await using it = await world({ embeddedService: true });
  const { shopId } = await ownShop(it);
  await using shop = await startLiveWooStore(it, { shopId, settings: { receipts: true } });
  const id = await shop.sell();
  await it.bridge.settled(shop.connected, id, 'recorded');
  const body = ofOrder(id);
  const asked = () => ask(it, shop.connected, { body, headers: wooHeaders(shop.connected.secret, body) });

  // It is issued in an attempt of its own.
  await expect.poll(async () => (await asked()).status).toBe(200);
  const { url = '', expiresAt = '' } = (await asked()).body;
  const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
  expect(minutes > 4 && minutes <= 5).toBe(true);
  const here = new URL(url).pathname;
  const receipt = await fetch(`${it.bridge.app.url}${here}`);
  const html = await receipt.text();
  expect([receipt.status, receipt.headers.get('content-type'), receipt.headers.get('cache-control')]).toEqual([200, 'text/html; charset=utf-8', 'no-store']);
  expect(receipt.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(html).toMatch(/№ 0{3}\d{7}/);

  const [path, token = ''] = [here.slice(0, here.lastIndexOf('/')), here.slice(here.lastIndexOf('/') + 1)];
  const [ref, expires, mac] = token.split('.');
  for (const wrong of [`${ref}.${Number(expires) + 1}.${mac}`, `${Number(ref) + 1}.${expires}.${mac}`, `${ref}.${expires}.`, 'x']) {
    expect([wrong, (await fetch(`${it.bridge.app.url}${path}/${wrong}`)).status]).toEqual([wrong, 404]);
  }
});

test('without a receipt it is said why: none was issued, the order is not recorded, or nobody knows it', async () => {
  await using it = await world({ embeddedService: true });
  const { shopId } = await ownShop(it);
  const connected = await it.bridge.connect({ shopId });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.settled(connected, '1', 'recorded');
  await it.bridge.send(connected, 'order.paid', { order: orderOf('2', { payment: { method: 'barter', transactionId: 'b_2' } }) });
  await it.bridge.settled(connected, '2', 'review');
  const why = async (id: string) => {
    const body = ofOrder(id);
    const { status, headers, body: problem } = await ask(it, connected, { body, headers: standardHeaders(connected.secret, body) });
    return [status, headers.get('content-type'), problem.detail];
  };
  const type = 'application/problem+json; charset=utf-8';

  expect(await why('1')).toEqual([404, type, expect.stringContaining('has no receipt')]);
  expect(await why('2')).toEqual([404, type, 'The order is not recorded, so it has no receipt.']);
  expect(await why('3')).toEqual([404, type, 'No order of this id came from the store.']);
});

test('a compliance service of others shows no receipts, and states are told without its document numbers, also while it is down', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.settled(connected, '1', 'recorded');
  const body = ofOrder('1');

  const asked = await ask(it, connected, { body, headers: standardHeaders(connected.secret, body) });

  expect([asked.status, asked.body.detail]).toEqual([404, 'The compliance service of this store shows no receipts.']);
  const told = [{ order: '1', state: 'recorded', document: null, why: null }];
  expect(await rowsOf(it, connected, ['1'])).toEqual(told);
  await it.service.down();
  expect(await rowsOf(it, connected, ['1'])).toEqual(told);
});

test('a wrong signature is 401, an unknown address 404, a wrong body 400, and more than the rate 429', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ settings: { ratePerSecond: 1 } });
  const shopify = await it.bridge.connect({ platform: 'shopify', name: 'corner.myshopify.com' });
  const body = ofOrder('1');
  const status = async (to: Connected, given: { body: string; headers: Record<string, string> }) => (await ask(it, to, given)).status;
  const signed = { body, headers: standardHeaders(connected.secret, body) };

  expect(await status(connected, { body, headers: {} })).toBe(401);
  expect(await status(connected, { body, headers: wooHeaders(connected.secret, body) })).toBe(401);
  expect(await status(connected, { body: ofOrder('2'), headers: signed.headers })).toBe(401);
  expect(await status(shopify, { body, headers: standardHeaders(connected.secret, body) })).toBe(404);
  expect(await status({ ...connected, connection: { ...connected.connection, id: 'c_unknown' } }, signed)).toBe(404);
  for (const wrong of ['{}', ofOrder('1\0')]) expect(await status(connected, { body: wrong, headers: standardHeaders(connected.secret, wrong) })).toBe(400);
  expect(await status(connected, { body: ' '.repeat(40_000), headers: signed.headers })).toBe(400);
  const many = await Promise.all(Array.from({ length: 60 }, () => ask(it, connected, signed)));
  expect(many.some((one) => one.status === 429 && one.headers.get('retry-after') !== null)).toBe(true);
  expect(new Set(many.map((one) => one.status))).toEqual(new Set([404, 429]));
});

const rowsOf = async (it: World, connected: Connected, ids: readonly string[]) => (await askStates(it, connected, { orders: ids, lang: 'en' })).body.orders;

test('a store is told what became of its orders, by its own ids, with the document number and why one needs review, and of no others', async () => {
  await using it = await world({ embeddedService: true });
  const { shopId } = await ownShop(it);
  const connected = await it.bridge.connect({ shopId });
  const other = await it.bridge.connect({ shopId: (await ownShop(it)).shopId, name: 'other.example' });
  const settled = async (to: Connected, order: Record<string, unknown>, state: 'recorded' | 'review') => {
    await it.bridge.send(to, 'order.paid', { order });
    return it.bridge.settled(to, String(order['id']), state);
  };
  await settled(connected, orderOf('1'), 'recorded');
  await settled(connected, orderOf('2', { payment: { method: 'barter', transactionId: 'b_2' } }), 'review');
  await settled(other, orderOf('4'), 'recorded');
  const document = expect.stringMatching(/^\d{10}$/);

  expect(await rowsOf(it, connected, ['2', '4', '5', '1'])).toEqual([
    { order: '1', state: 'recorded', document, why: null },
    { order: '2', state: 'review', document: null, why: expect.stringContaining('barter') },
  ]);
  const [inBulgarian] = (await askStates(it, connected, { orders: ['2'], lang: 'bg' })).body.orders ?? [];
  expect(inBulgarian?.['why']).toMatch(/[а-я]{4}/);
});

test('a store is told that an order was replaced or removed, as it is after its buyer was erased', async () => {
  await using it = await world({ embeddedService: true });
  const { shopId } = await ownShop(it);
  const connected = await it.bridge.connect({ shopId });
  for (const id of ['1', '2']) {
    await it.bridge.send(connected, 'order.paid', { order: orderOf(id) });
    await it.bridge.settled(connected, id, 'recorded');
  }
  const later = { updatedAt: '2026-11-02T10:00:00Z' };
  const part = { refunds: [{ id: 'r1', at: '2026-11-02T10:00:00Z', amount: '24.00', lines: [{ lineId: 'a', quantity: 1, amount: '24.00' }] }] };
  const whole = { refunds: [{ id: 'r1', at: '2026-11-02T10:00:00Z', amount: '48.00', lines: [{ lineId: 'a', quantity: 2, amount: '48.00' }] }] };
  await it.bridge.send(connected, 'order.updated', { order: orderOf('1', { ...later, ...part }) });
  await it.bridge.send(connected, 'order.updated', { order: orderOf('2', { ...later, ...whole }) });
  await until(async () => (await it.bridge.order(connected, '1'))?.revision === 2, { what: 'the refund to be merged' });
  const replaced = await it.bridge.settled(connected, '1', 'recorded');
  await it.bridge.settled(connected, '2', 'removed');
  const { platform, store } = replaced;
  await erase(it.bridge.pool, { shopId, platform, store, orderIds: ['1'], until: new Date().toISOString() });

  expect(await rowsOf(it, connected, ['1', '2'])).toEqual([
    { order: '1', state: 'replaced', document: expect.stringMatching(/^\d{10}$/), why: null },
    { order: '2', state: 'removed', document: null, why: null },
  ]);
});

test('states are told to whom the connection is, within five minutes, of 100 orders at most', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ settings: { ratePerSecond: 1 } });
  const other = await it.bridge.connect({ name: 'other.example' });
  const [body, many] = [['1'], Array.from({ length: 101 }, (_, index) => `${index}`)].map((orders) => JSON.stringify({ orders, lang: 'bg' }));
  const status = async (given: { body?: string; headers: Record<string, string> }, to = connected) =>
    (await ask(it, to, { body: body ?? '', path: STATES, ...given })).status;
  const signedAt = (given: string, secondsAgo: number) => {
    const seconds = Math.floor(Date.now() / 1000) - secondsAgo;
    const key = Buffer.from(connected.secret.replace(/^whsec_/, ''), 'base64');
    const signature = createHmac('sha256', key).update(`msg_1.${seconds}.${given}`).digest('base64');
    return {
      body: given,
      headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1', 'webhook-timestamp': `${seconds}`, 'webhook-signature': `v1,${signature}` },
    };
  };

  expect(await status(signedAt(body ?? '', 290))).toBe(200);
  expect(await status(signedAt(body ?? '', 310))).toBe(401);
  expect(await status({ headers: {} })).toBe(401);
  expect(await status(signedAt(body ?? '', 0), other)).toBe(401);
  expect(await status(signedAt(many ?? '', 0))).toBe(400);
  expect(await status(signedAt('{"orders":[],"lang":"bg"}', 0))).toBe(400);
  expect(await status(signedAt('{"orders":["1"],"lang":"de"}', 0))).toBe(400);
  expect(await status(signedAt('{"orders":["1\\u0000"],"lang":"bg"}', 0))).toBe(400);
  const statuses = await Promise.all(Array.from({ length: 60 }, () => status(signedAt(body ?? '', 0))));
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});

test('states are told before a module gives up on them while the compliance service hangs, and it is asked no longer than the module waits', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.settled(connected, '1', 'recorded');
  await it.service.down();
  const calls: Promise<unknown>[] = [];
  await using hanging = createServer((socket) => void calls.push(once(socket.resume(), 'close')));
  await once(hanging.listen(Number(new URL(it.service.url).port), '127.0.0.1'), 'listening');
  const body = JSON.stringify({ orders: ['1'], lang: 'bg' });
  const asked = (signal: AbortSignal) =>
    fetch(`${addressOf(it.bridge.app.url, connected)}/${STATES}`, { method: 'POST', body, headers: standardHeaders(connected.secret, body), signal });

  const leaving = new AbortController();
  const left = asked(leaving.signal);
  await until(() => calls.length === 1, { what: 'the service to be asked' });
  leaving.abort();
  await expect(left).rejects.toThrow();
  expect(await Promise.race([calls[0]?.then(() => 'over'), new Promise((resolve) => setTimeout(resolve, 2_000))])).toBe('over');
  // Under load it takes its time; the client itself gives up after 8 s.
  expect(await (await asked(AbortSignal.timeout(6_000))).json()).toEqual({ orders: [{ order: '1', state: 'recorded', document: null, why: null }] });
});
