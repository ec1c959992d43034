import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { addressOf } from '../../../support/samples/signed-webhooks.ts';
import { type Connected, orderOf, standardHeaders } from '../../../support/worlds/bridge.ts';
import { startLiveWooStore } from '../../../support/worlds/live-woo-store.ts';
import { ownShop } from '../../../support/worlds/own-service.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import type { World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

type Asked = { status: number; headers: Headers; body: { url?: string; expiresAt?: string; detail?: string } };

async function ask({ bridge }: World, connected: Connected, { body, headers }: { body: string; headers: Record<string, string> }): Promise<Asked> {
  const answer = await fetch(`${addressOf(bridge.app.url, connected)}/receipt-link`, { method: 'POST', body, headers });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
}

const ofOrder = (order: string) => JSON.stringify({ order });

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

test('a compliance service of others shows no receipts', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.settled(connected, '1', 'recorded');
  const body = ofOrder('1');

  const asked = await ask(it, connected, { body, headers: standardHeaders(connected.secret, body) });

  expect([asked.status, asked.body.detail]).toEqual([404, 'The compliance service of this store shows no receipts.']);
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
  expect(await status(connected, { body: '{}', headers: standardHeaders(connected.secret, '{}') })).toBe(400);
  expect(await status(connected, { body: ' '.repeat(5_000), headers: signed.headers })).toBe(400);
  const many = await Promise.all(Array.from({ length: 60 }, () => ask(it, connected, signed)));
  expect(many.some((one) => one.status === 429 && one.headers.get('retry-after') !== null)).toBe(true);
  expect(new Set(many.map((one) => one.status))).toEqual(new Set([404, 429]));
});
