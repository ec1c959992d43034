import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BRIDGE_AUDIT_LOG } from '../../src/bridge/ledger/bridge-acts.ts';
import { readActs } from '../../src/platform/audit-log/audit-log.ts';
import { askPostgres, changeSetting, type PostgresIn } from '../support/servers/copied-postgres.ts';
import { startPostgresPair } from '../support/servers/postgres-pair.ts';
import { Program } from '../support/servers/program.ts';
import { startRedis, type TestRedis } from '../support/servers/redis.ts';
import { Bridge, ENCRYPTION_KEYS, orderOf } from '../support/worlds/bridge.ts';
import { ownShop } from '../support/worlds/own-service.ts';
import { until } from '../support/worlds/settled.ts';

const ORDERS = Number(process.env['FAILOVER_ORDERS'] ?? 200);
const EVERY_MS = 20;

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

/** A primary, a replica that follows it, and a program at an address that a failover manager would move. */
async function startPair(isSynchronous: boolean) {
  await using setup = new AsyncDisposableStack();
  const postgres = setup.use(await startPostgresPair(isSynchronous));
  const { primary, replica, proxy } = postgres;
  await redis.flush();
  const bridge = setup.use(await Bridge.start({ databaseUrl: proxy.url, redisUrl: redis.url, config: { leaseSeconds: 5 } }));
  const cli = setup.use(await Program.prepare({ DATABASE_URL: proxy.url, REDIS_URL: redis.url, ENCRYPTION_KEYS }));
  const { shopId } = await ownShop({ bridge });
  const connected = await bridge.connect({ shopId });
  const ready = async () => (await fetch(`${bridge.app.url}/readyz`)).json();
  const failOver = () => postgres.failOver(500);
  const owned = setup.move();
  return { primary, replica, proxy, failOver, bridge, cli, connected, ready, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

type Pair = Awaited<ReturnType<typeof startPair>>;

/** Sends orders one after the other, each until it is taken; `at` is called in the midst of them. */
async function load({ bridge, connected }: Pair, first: number, at: { half?: () => Promise<void> } = {}): Promise<string[]> {
  const ids = Array.from({ length: ORDERS }, (_, n) => String(first + n));
  const taken: Promise<unknown>[] = [];
  let midst: Promise<void> | undefined;
  for (const [n, id] of ids.entries()) {
    const send = async () => expect(await bridge.send(connected, 'order.paid', { order: orderOf(id) })).toBe(200);
    taken.push(until(send, { what: `order ${id} to be taken` }));
    if (n === ids.length / 2) midst = at.half?.();
    await sleep(EVERY_MS);
  }
  await midst;
  await Promise.all(taken);
  return ids;
}

/** Orders of the service, each with its document number. */
async function numbersAt({ url }: PostgresIn): Promise<[string, number][]> {
  const rows = await askPostgres(url, 'select internal_id as id, document_number::int as n from compliance.orders order by 2');
  return rows.map(({ id, n }) => [String(id), Number(n)]);
}

test('a synchronous replica is promoted under load: each order is recorded once, and nothing waits for a person', { timeout: 300_000 }, async () => {
  await using pair = await startPair(true);
  const { bridge, connected, primary, replica, proxy, ready } = pair;
  const isKnown = async () => expect(await askPostgres(primary.url, 'select synchronous from jobs.database')).toEqual([{ synchronous: true }]);
  await until(isKnown, { what: 'the program to know that the replica is synchronous' });

  const ids = await load(pair, 1, { half: pair.failOver });
  for (const id of ids) await bridge.settled(connected, id, 'recorded');

  const numbers = await numbersAt(replica);
  expect(numbers.map(([id]) => id).toSorted()).toEqual(ids.toSorted());
  expect(numbers.map(([, n]) => n)).toEqual(ids.map((_, n) => n + 1));
  expect(await readActs(bridge.pool, BRIDGE_AUDIT_LOG, { act: 'database.promoted', limit: 9 })).toMatchObject([{ who: 'orderbridge' }]);
  expect(await ready()).not.toHaveProperty('stopped');

  // The old primary answers again, and the address leads there by mistake.
  await changeSetting(primary, "synchronous_standby_names = ''");
  proxy.cut();
  proxy.moveTo(primary.url);
  await until(async () => expect(await ready()).toMatchObject({ stopped: 'database.restored' }), { what: 'the older timeline to be seen' });
});

test('an asynchronous replica that lacks the end is promoted: no number is given twice', { timeout: 300_000 }, async () => {
  await using pair = await startPair(false);
  const { bridge, cli, connected, primary, replica, ready } = pair;
  const before = await load(pair, 1);
  for (const id of before) await bridge.settled(connected, id, 'recorded');
  await changeSetting(replica, "primary_conninfo = ''");
  await until(async () => expect(await askPostgres(primary.url, 'select from pg_stat_replication')).toEqual([]), { what: 'the replica to fall behind' });
  const lost = await load(pair, 1_001);
  for (const id of lost) await bridge.settled(connected, id, 'recorded');
  const given = await numbersAt(primary);
  expect(given).toHaveLength(before.length + lost.length);

  await pair.failOver();
  await until(async () => expect(await ready()).toMatchObject({ stopped: 'database.restored' }), { what: 'the program to see it' });
  const since = await load(pair, 2_001);
  expect(await numbersAt(replica)).toHaveLength(before.length);
  expect((await cli.run(['resume', '--keep-numbers', '--why', 'x'])).err).toContain('had come to the number');
  await cli.ok(['resume', '--ahead', '1000', '--why', 'replica promoted']);
  for (const id of since) await bridge.settled(connected, id, 'recorded');
  const all = new Map(given.map(([id, n]) => [n, id]));
  for (const [id, n] of await numbersAt(replica)) expect(all.get(n) ?? id).toBe(id);
});
