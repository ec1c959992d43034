import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedOrdersOf } from '../../../src/operations/service/recorded-orders.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { Bridge, orderOf } from '../../support/worlds/bridge.ts';
import { orderDto } from '../../support/worlds/compliance-caller.ts';
import { startApart } from '../../support/worlds/own-service.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres('whole');
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** Paid with a method that the settings do not know. */
const odd = (id: string) =>
  orderOf(id, { createdAt: '2026-10-03T08:00:00Z', paidAt: '2026-10-03T08:00:00Z', payment: { method: 'odd', transactionId: 'pi_1' } });

test('where another service keeps the months, the page says so, and shows the paid orders that are not recorded', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner <b>' });
  const owner = await signIn(it.bridge);
  const calm = await owner.get('/console/months');
  expect(calm.text).toContain('That service keeps the months');
  expect(calm.text).toContain('No paid order waits');

  for (const id of ['1', '2']) {
    await it.bridge.send(connected, 'order.paid', { order: odd(id) });
    await it.bridge.settled(connected, id, 'review');
  }

  const { status, text } = await owner.get('/console/months');
  expect(status).toBe(200);
  expect(text).toContain('Corner &lt;b&gt;');
  expect(text).toContain('<td class="n" data-label="Orders">2</td>');
  expect(text).toContain('€96.00');
  expect(text).toContain('A payment method has no type in the settings. <code>payment.unmapped</code>: 2');
  expect(text).toMatch(/href="\/console\/orders\?missing=[\da-f-]{36}_\d{4}-\d\d"/);
  const shops = [connected.connection.shopId];
  expect((await (await signIn(it.bridge, { role: 'accountant', shops })).get('/console/months')).text).toContain('Corner');
  expect((await (await signIn(it.bridge, { role: 'accountant', shops: [crypto.randomUUID()] })).get('/console/months')).text).not.toContain('Corner');
  expect((await owner.get(`/console/months/${connected.connection.shopId}/2026-10`)).status).toBe(404);
});

test('the console of role console shows months, rates and records of our own service that is a process of its own, and of no other', async () => {
  const databaseUrl = postgres.url;
  await using other = await Bridge.start({ databaseUrl, complianceUrl: 'http://127.0.0.1:9', role: 'console' });
  expect((await (await signIn(other)).get('/console/months')).text).toContain('That service keeps the months');
  await using it = await startApart(databaseUrl, 'console');
  const { id, documentNumber } = (await it.call('POST', '/order', { body: orderDto(it.shopId) })).body;

  const owner = await signIn(it.bridge);

  expect((await owner.get('/console/months')).text).not.toContain('That service keeps the months');
  const [order] = (await recordedOrdersOf(it.bridge, { shop: it.shopId, limit: 1 })).orders;
  expect((await owner.get(`/console/months/${it.shopId}/${order?.month}`)).text).toContain('Магазин за чаши');
  expect((await owner.get('/console/destinations/rates')).status).toBe(200);
  expect((await owner.get(`/console/records/${id}`)).text).toContain(String(documentNumber));
  expect((await fetch(`${it.bridge.app.url}/public-api/v1/shop`)).status).toBe(404);
});
