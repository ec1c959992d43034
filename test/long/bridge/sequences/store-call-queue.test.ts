import { expect, test } from 'vitest';
import { addressOf, postWoo } from '../../../support/samples/signed-webhooks.ts';
import { type HangingStore, startHangingStore } from '../../../support/servers/hanging-store.ts';
import { startKillable } from '../../../support/servers/killable-program.ts';
import { Bridge, type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { half, refundOf, saved } from '../../../support/worlds/woo-shop.ts';
import { totals, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
/** As they are if nobody sets them. */
const USUAL = { leaseSeconds: 30, concurrency: 32, timeouts: { connectMs: 5_000, headersMs: 15_000, totalMs: 20_000 } };

const refundsOfAll = (): Promise<HangingStore> => startHangingStore(() => [refundOf(1)]);

function connectWoo({ bridge }: World, { url }: HangingStore): Promise<Connected> {
  return bridge.connect({ platform: 'woocommerce', access: { url, consumerKey: 'ck', consumerSecret: 'cs' } });
}

/** Sends orders that can't be recorded before the store says what was refunded of them. */
async function sendRefunded(url: string, connected: Connected, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, i) => String(i + 100));
  const answers = await Promise.all(
    ids.map((id) => postWoo(addressOf(url, connected), { topic: 'order.updated', body: { ...saved(5, half), id: Number(id) }, secret: connected.secret })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  return ids;
}

async function rowsIn({ bridge }: World, table: 'orders' | 'store_calls' | 'store_slots'): Promise<number> {
  return (await bridge.pool.query(`select from ${table}`)).rowCount ?? 0;
}

test.each([
  ['Redis', true],
  ['PostgreSQL', false],
] as const)('finding 3: 160 orders of a store that never answers delay no other merchant (queue on %s)', async (_where, onRedis) => {
  await using store = await refundsOfAll();
  await using it = await world({ onRedis, config: USUAL });
  const hanging = await connectWoo(it, store);
  const honest = await it.bridge.connect({ name: 'honest' });
  await sendRefunded(it.bridge.app.url, hanging, 160);
  await until(async () => store.calls >= 2 && (await rowsIn(it, 'orders')) === 160, { what: 'the store to be called, with all orders in the ledger' });

  const began = performance.now();
  await it.bridge.send(honest, 'order.paid', { order: orderOf('1') });
  await it.bridge.settled(honest, '1', 'recorded');

  expect(performance.now() - began).toBeLessThan(5_000);
  expect(store.most).toBe(2);
});

test('two processes call a store twice at a time, and everything is recorded once it answers', async () => {
  await using store = await refundsOfAll();
  await using it = await world({ config: { leaseSeconds: 30 } });
  await using _second = await Bridge.start({ databaseUrl: it.databaseUrl, redisUrl: it.redisUrl, complianceUrl: it.service.url, role: 'worker' });
  const connected = await connectWoo(it, store);
  const ids = await sendRefunded(it.bridge.app.url, connected, 20);
  await until(() => store.most === 2, { what: 'two calls' });

  store.letGo();

  await until(() => it.service.living === ids.length, { what: 'all to be recorded' });
  expect(store.most).toBe(2);
  for (const id of ids) expect(totals(it.service, id)).toEqual(['24.00']);
});

test('a process that is stopped in the middle of a call ends at once, and the next one goes on', async () => {
  await using store = await refundsOfAll();
  await using it = await world({ role: 'compliance' });
  const connected = await connectWoo(it, store);
  const options = { databaseUrl: it.databaseUrl, redisUrl: it.redisUrl, complianceUrl: it.service.url };
  const first = await Bridge.start({ ...options, config: USUAL });
  const ids = await sendRefunded(first.app.url, connected, 4);
  await until(() => store.calls === 2, { what: 'two calls' });

  const began = performance.now();
  await first[Symbol.asyncDispose]();
  expect(performance.now() - began).toBeLessThan(5_000);
  expect([await rowsIn(it, 'store_calls'), await rowsIn(it, 'store_slots')]).toEqual([0, 0]);

  store.letGo();
  await it.bridge.pool.query('update orders set due_at = now()');
  await using _second = await Bridge.start({ ...options, role: 'worker' });
  await until(() => it.service.living === ids.length, { what: 'all to be recorded' });
});

test('kill -9 in the middle of a call, and a start: every order is recorded', async () => {
  await using store = await refundsOfAll();
  await using it = await world({ onRedis: false, role: 'compliance' });
  const connected = await connectWoo(it, store);
  const program = () => startKillable({ databaseUrl: it.databaseUrl, complianceUrl: it.service.url, idempotencyKey: 'supported', role: 'all' });
  const killed = await program();
  const ids = await sendRefunded(killed.url, connected, 4);
  await until(() => store.calls >= 2, { what: 'two calls' });

  await killed.kill();
  store.letGo();
  // Time passes: places, leases and pauses of the dead process end, and so do the waits of its orders.
  await it.bridge.pool.query('update store_calls set until = now()');
  await it.bridge.pool.query('update store_slots set lease_until = now()');
  await it.bridge.pool.query('update orders set due_at = now(), lease_until = null');

  await using _second = await program();
  await until(() => it.service.living === ids.length, { what: 'all to be recorded' });
  for (const id of ids) expect(totals(it.service, id)).toEqual(['24.00']);
});
