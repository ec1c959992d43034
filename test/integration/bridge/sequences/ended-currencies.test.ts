import { expect, test } from 'vitest';
import { longTest } from '../../../support/long-test.ts';
import { startKillable } from '../../../support/servers/killable-program.ts';
import type { SeenRequest } from '../../../support/servers/scripted-compliance.ts';
import { type Connected, orderOf, standardHeaders } from '../../../support/worlds/bridge.ts';
import { ownShop, standingIn } from '../../../support/worlds/own-service.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { later, totals } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

const DECEMBER = '2025-12-10T10:00:00Z';
const refusing = { settings: { refuseEndedCurrencies: true } };

/** An order in leva of 48.00; with `minute` 24.00 of it was given back then. */
function inLeva(id: string, { createdAt, minute }: { createdAt?: string; minute?: number } = {}): Record<string, unknown> {
  const back = minute === undefined ? {} : { updatedAt: later(minute), refunds: [{ id: 'r1', at: later(minute), amount: '24.00' }] };
  return orderOf(id, { currency: 'BGN', ...(createdAt === undefined ? {} : { createdAt }), ...back });
}

// As a service whose shop refuses them.
function refusesEnded({ method, body }: SeenRequest) {
  const isLate = method === 'POST' && body.includes('"BGN"') && !body.includes(DECEMBER);
  return isLate ? { status: 422, body: { type: 'urn:compliance-service:problem:currency-ended', title: 'ended' } } : 'ok';
}

async function post(url: string, { connection, secret }: Connected, order: object): Promise<void> {
  const body = JSON.stringify({ type: 'order.refunded', timestamp: later(5), data: { order } });
  await fetch(`${url}/webhooks/standard/${connection.id}`, { method: 'POST', body, headers: standardHeaders(secret, body) });
}

test('service F3: an order in a currency that had ended needs review before any delete, and what is recorded stays', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: inLeva('1') });
  await it.bridge.settled(connected, '1', 'recorded');
  it.service.always(refusesEnded);
  const { id, settings } = connected.connection;
  await it.bridge.app.core.connections.changeSettings(id, { by: 'test', edit: () => ({ ...settings, refuseEndedCurrencies: true }) });
  // As the notification does it, which may come a moment later.
  it.bridge.app.core.cache.forget(id);

  await it.bridge.send(connected, 'order.refunded', { order: inLeva('1', { minute: 1 }) });
  await it.bridge.send(connected, 'order.paid', { order: inLeva('2') });

  for (const id of ['1', '2']) expect((await it.bridge.settled(connected, id, 'review')).review?.code).toBe('currency.ended');
  expect(totals(it.service, '1')).toEqual(['48.00']);
  expect(it.service.requests('DELETE')).toEqual([]);
});

longTest('service F3: a December order in leva that is refunded in March and killed between the steps is replaced', async () => {
  await using it = await world({ onRedis: false, role: 'compliance' });
  const connected = await it.bridge.connect(refusing);
  const program = () => startKillable({ databaseUrl: it.databaseUrl, complianceUrl: it.service.url, idempotencyKey: 'supported', role: 'all' });
  it.service.always(refusesEnded);
  const killed = await program();
  await post(killed.url, connected, inLeva('1', { createdAt: DECEMBER }));
  await until(() => totals(it.service, '1')[0] === '48.00', { what: 'the sale to be recorded' });
  it.service.next('delete', { hangMs: 5_000 });

  await post(killed.url, connected, inLeva('1', { createdAt: DECEMBER, minute: 5 }));
  await until(() => it.service.requests('DELETE').length === 1 && it.service.living === 0, { what: 'the delete' });
  await killed.kill();
  await it.bridge.pool.query('update orders set due_at = now(), lease_until = null');
  await using _second = await program();

  await until(() => totals(it.service, '1')[0] === '24.00', { what: 'the replacement to be recorded' });
  expect(totals(it.service, '1')).toEqual(['24.00']);
});

test('service F3: a shop that refuses what was recorded before loses nothing, whatever the bridge knows of it', async () => {
  await using it = await world({ embeddedService: true });
  const shop = await ownShop(it);
  const connected = await it.bridge.connect({ shopId: shop.shopId });
  await it.bridge.send(connected, 'order.paid', { order: inLeva('1') });
  await it.bridge.settled(connected, '1', 'recorded');
  await it.bridge.pool.query('update compliance.shops set refuse_ended_currencies = true');

  await it.bridge.send(connected, 'order.refunded', { order: inLeva('1', { minute: 1 }) });
  await it.bridge.send(connected, 'order.paid', { order: inLeva('2') });

  await until(async () => (await standingIn(it, shop)).join() === '1: 24.00', { what: 'the replacement to be recorded' });
  expect((await it.bridge.settled(connected, '2', 'review')).review).toMatchObject({ code: 'compliance.refused' });
  expect((await it.bridge.settled(connected, '1', 'recorded')).review).toBeNull();
});
