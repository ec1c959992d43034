import { expect, test } from 'vitest';
import { z } from 'zod';
import { uninstalledDeps } from '../../../../src/app/recorder.ts';
import { AskLater, handleUninstalled } from '../../../../src/bridge/delivery/handle-uninstalled.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { useShopify } from '../../../support/connect/at-shopify.ts';
import { lastDeliveries } from '../../../support/ledger/last-deliveries.ts';
import { shopifyBody } from '../../../support/samples/signed-webhooks.ts';
import { denials } from '../../../support/servers/shopify-admin/serve-shop.ts';
import { connectByApp } from '../../../support/worlds/app-shop.ts';
import type { Bridge } from '../../../support/worlds/bridge.ts';
import { type GrantedShop, grantedShop } from '../../../support/worlds/granted-shop.ts';
import { until } from '../../../support/worlds/settled.ts';
import { ORDER, PAID, sendToShop } from '../../../support/worlds/shopify-shop.ts';
import { useWorlds } from '../../../support/worlds/world.ts';

const world = useWorlds();
const shopify = useShopify();

const find = async ({ app: { core } }: Bridge, { connected }: GrantedShop) => core.connections.find(connected.connection.id);
const words = async ({ pool }: Bridge, { connected }: GrantedShop) =>
  (await lastDeliveries(pool, connected.connection.id, 20)).map(({ topic, outcome }) => `${topic} ${outcome}`);
const isClosed = async (bridge: Bridge, of: GrantedShop) => (await find(bridge, of))?.closedAt !== null;
const closes = (bridge: Bridge, of: GrantedShop, timeoutMs = 10_000) => until(() => isClosed(bridge, of), { what: 'the connection to be closed', timeoutMs });
const noted = (bridge: Bridge, of: GrantedShop, count = 1) => until(async () => (await words(bridge, of)).length >= count, { what: 'the word to be noted' });

async function tokensOf({ pool }: Bridge, { connected }: GrantedShop): Promise<number> {
  const row = rowsOf('store_tokens', z.object({ count: z.int() }));
  const text = 'select count(*)::int as count from bridge.store_tokens where connection_id = $1';
  return (await readOne(pool, row, { text, values: [connected.connection.id] })).count;
}

test.each([true, false])('a store that refuses the app is closed, and keeps no tokens (on Redis: %s)', async (onRedis) => {
  await using it = await world({ onRedis });
  const of = await grantedShop(it.bridge, shopify);
  of.shop.uninstall(of.there);
  expect(await of.shop.send()).toEqual([200]);

  await closes(it.bridge, of);
  await noted(it.bridge, of);
  expect(await words(it.bridge, of)).toEqual(['app/uninstalled closed']);
  expect(await tokensOf(it.bridge, of)).toBe(0);
  expect((await find(it.bridge, of))?.warnings).toEqual({});
});

test('word that comes after the app was installed again, and twice, closes nothing', async () => {
  await using it = await world();
  const { bridge } = it;
  const of = await grantedShop(bridge, shopify);
  const { id } = of.connected.connection;
  of.shop.uninstall(of.there);
  const late = of.shop.outbox.splice(0);
  // Somebody called the store meanwhile: its key is paused when the word comes.
  await bridge.pool.query(
    `insert into bridge.store_calls (host, connection_id, code, detail, failures, since, until) values ($1, $2, 'storefront.refused', '401', 1, now(), now() + interval '5 minutes')`,
    [of.shop.state.domain, id],
  );
  await of.reinstalls();
  of.shop.outbox.push(...late, ...late);
  expect(await of.shop.send()).toEqual([200, 200]);

  await noted(bridge, of, 2);
  expect(await words(bridge, of)).toEqual(['app/uninstalled ignored', 'app/uninstalled ignored']);
  expect([await isClosed(bridge, of), await tokensOf(bridge, of)]).toEqual([false, 1]);
  const [{ detail } = { detail: null }] = await lastDeliveries(bridge.pool, id, 1);
  expect(detail).toContain('still lets the app in');
});

test('a store that is installed again while it is asked stays open', async () => {
  await using it = await world();
  const of = await grantedShop(it.bridge, shopify);
  of.shop.uninstall(of.there);
  let refused = 0;
  of.shop.state.intercept = async ({ path }) => {
    if (!path.endsWith('graphql.json') || refused > 0) return undefined;
    refused += 1;
    await of.reinstalls();
    return { status: 401, body: {} };
  };
  await of.shop.send();

  await noted(it.bridge, of);
  expect([refused, await words(it.bridge, of)]).toEqual([1, ['app/uninstalled ignored']]);
  expect(await isClosed(it.bridge, of)).toBe(false);
});

test.each([
  ['frozen', denials.frozen, true],
  ['gone', denials.gone, true],
  ['broken', denials.broken, true],
  ['throttled, which an app that is gone is not', denials.throttled, false],
])('a store that is %s', async (_what, answer, closed) => {
  await using it = await world();
  const of = await grantedShop(it.bridge, shopify);
  of.shop.uninstall(of.there);
  of.shop.state.intercept = () => answer;
  await of.shop.send();

  await noted(it.bridge, of);
  expect(await isClosed(it.bridge, of)).toBe(closed);
});

test('a store that gives no answer is closed after its time, and keeps nothing else waiting', async () => {
  await using it = await world({ config: { quietSeconds: 0 } });
  const { bridge } = it;
  const of = await grantedShop(bridge, shopify);
  const other = await connectByApp(bridge, null, 'neighbour.myshopify.com');
  of.shop.uninstall(of.there);
  const asked = Promise.withResolvers<void>();
  of.shop.state.intercept = () => {
    asked.resolve();
    return new Promise(() => undefined);
  };
  // The same store is asked once, however often it says so.
  of.shop.outbox.push(...of.shop.outbox, ...of.shop.outbox);
  const began = performance.now();
  await of.shop.send();
  await asked.promise;
  expect((await sendToShop(bridge, other, ['orders/paid', shopifyBody(PAID)])).status).toBe(200);
  await until(async () => (await bridge.order(other, ORDER)) !== null, { what: 'the order of another store' });
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(await isClosed(bridge, of)).toBe(false);

  await closes(bridge, of, 15_000);
  expect(performance.now() - began).toBeLessThan(13_000);
  await noted(bridge, of, 3);
  expect(new Set(await words(bridge, of))).toEqual(new Set(['app/uninstalled closed']));
});

test('a store that is called for others as often as it may be is asked when they are done', async () => {
  await using it = await world();
  const { bridge } = it;
  const of = await grantedShop(bridge, shopify);
  of.shop.uninstall(of.there);
  await bridge.pool.query(
    `insert into bridge.store_slots (host, slot, holder, lease_until) select $1, n, gen_random_uuid(), now() + interval '2 seconds' from generate_series(1, 2) n`,
    [of.shop.state.domain],
  );
  const seen: string[] = [];
  of.shop.state.intercept = ({ path }) => {
    seen.push(path);
    return undefined;
  };
  await of.shop.send();

  await closes(bridge, of);
  expect(seen).toContain('/admin/api/2026-10/graphql.json');
});

test('a store whose token a process was renewing as it died is asked when another one may', async () => {
  await using it = await world();
  const { bridge } = it;
  const of = await grantedShop(bridge, shopify);
  const word = { connectionId: of.connected.connection.id, arrivedAt: new Date().toISOString() };
  const read = handleUninstalled(uninstalledDeps(bridge.app.core));
  const lease = (until: string) =>
    bridge.pool.query(`update bridge.store_tokens set holder = gen_random_uuid(), lease_until = now() + $2::interval where connection_id = $1`, [
      word.connectionId,
      until,
    ]);
  await lease('30 seconds');
  let refused = 0;
  // Its token is over: another one must be made.
  of.shop.state.intercept = ({ path }) => {
    if (!path.endsWith('graphql.json') || refused > 0) return undefined;
    refused += 1;
    return { status: 401, body: {} };
  };

  await expect(read(word)).rejects.toBeInstanceOf(AskLater);
  expect([refused, await isClosed(bridge, of)]).toEqual([1, false]);
  await lease('0 seconds');
  expect(await read(word)).toBe('let-in');
});

test('a process that is killed between asking, closing and noting is followed by one that comes to the same', async () => {
  await using it = await world();
  const { bridge } = it;
  const { core } = bridge.app;
  const of = await grantedShop(bridge, shopify);
  const word = { connectionId: of.connected.connection.id, arrivedAt: new Date().toISOString() };
  const read = handleUninstalled(uninstalledDeps(core));
  of.shop.uninstall(of.there);
  const killed = handleUninstalled({ ...uninstalledDeps(core), closeIfStill: () => Promise.reject(new Error('killed')) });
  await expect(killed(word)).rejects.toThrow('killed');
  expect(await isClosed(bridge, of)).toBe(false);

  expect(await read(word)).toBe('closed');
  const first = (await find(bridge, of))?.closedAt;
  expect(await read(word)).toBe('closed');
  expect([(await find(bridge, of))?.closedAt, typeof first]).toEqual([first, 'string']);
  // The store came back before the job ran again.
  await bridge.pool.query('update bridge.connections set closed_at = null where id = $1', [word.connectionId]);
  await of.reinstalls();
  expect(await read(word)).toBe('let-in');
  expect(await isClosed(bridge, of)).toBe(false);
});
