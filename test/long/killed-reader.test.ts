import { expect, test } from 'vitest';
import { measureReading } from '../support/reconciliation/measure-reading.ts';
import { startReader } from '../support/reconciliation/start-reader.ts';
import { type StoreOrder, startChangingStore } from '../support/servers/changing-store.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { until } from '../support/worlds/settled.ts';
import { useWorlds } from '../support/worlds/world.ts';

const newWorld = useWorlds();
const ORDERS = 1_500;
const PAGES = 15;

function order(n: number): StoreOrder {
  const updatedAt = new Date(Date.now() - 7_200_000 + n * 1000).toISOString();
  return { ...orderOf(String(n), { createdAt: updatedAt, paidAt: updatedAt }), id: String(n), updatedAt };
}

test('a reader that is killed in the middle of a sync run is followed by one that goes on there', async () => {
  await using store = await startChangingStore();
  await using world = await newWorld({ role: 'receiver' });
  const { databaseUrl, redis, service, bridge } = world;
  const where = { databaseUrl, redisUrl: redis.url, complianceUrl: service.url };
  store.put(...Array.from({ length: ORDERS }, (_, n) => order(n)));
  const pages = () => store.asked.filter((path) => path.startsWith('/changed'));
  const known = () => bridge.pool.query('select from orders').then(({ rowCount }) => rowCount);
  const { connection } = await bridge.connect({ access: { url: store.url } });

  const first = await startReader(where);
  await until(() => pages().length >= 4, { what: 'the fourth page', everyMs: 1 });
  const held = store.hold();
  await held.begun;
  const cut = store.asked.at(-1) ?? '';
  await first.kill();
  const before = pages();
  expect(before.length).toBeLessThan(PAGES);
  held.letGo();

  await using _second = await startReader(where);
  await until(async () => (await known()) === ORDERS, { what: 'all orders to be known' });
  const after = pages().slice(before.length);
  // What was being read is read again, and nothing before it: the page, or the orders of one that is kept.
  expect(after[0] === before.at(-1)).toBe(cut.startsWith('/changed'));
  const again = cut.startsWith('/changed') ? after.slice(1) : after;
  expect(new Set([...before, ...again].slice(0, PAGES)).size).toBe(PAGES);
  expect(store.asked.filter((path) => path === cut)).toHaveLength(2);
  const { rows } = (await bridge.pool.query('select watermark from store_syncs where connection_id = $1', [connection.id])) as unknown as { rows: unknown[] };
  expect(rows).toHaveLength(1);
});

test('a sync run of many orders takes little memory', async () => {
  const { seen, handed, before, most } = await measureReading({ count: 10_000 });

  expect({ seen, handed }).toEqual({ seen: 10_000, handed: 100 });
  expect(most - before).toBeLessThan(100);
});
