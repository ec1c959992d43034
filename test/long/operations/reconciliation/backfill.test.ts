import { expect, test } from 'vitest';
import { BRIDGE_AUDIT_LOG } from '../../../../src/bridge/ledger/bridge-acts.ts';
import { Failure } from '../../../../src/bridge/order/facts/failure.ts';
import type { ReadableStore } from '../../../../src/bridge/reconciliation/read-page.ts';
import { type BackfillDeps, planBackfill, runBackfill } from '../../../../src/operations/reconciliation/backfill.ts';
import { readActs } from '../../../../src/platform/audit-log/audit-log.ts';
import { BY } from '../../../support/samples/by.ts';
import { type Bridge, type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { useClearedWorlds } from '../../../support/worlds/cleared-world.ts';
import { ListedShop } from '../../../support/worlds/listed-shop.ts';
import { ownShop, standingIn } from '../../../support/worlds/own-service.ts';
import { reconcileDeps } from '../../../support/worlds/reconciled-world.ts';
import { until } from '../../../support/worlds/settled.ts';

const world = useClearedWorlds();
const input = { from: '2026-11-01T00:00:00.000Z', until: '2026-11-15T00:00:00.000Z', onRead: () => undefined };

function soldOn(id: string, day: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const at = `${day}T10:00:00Z`;
  return orderOf(id, { createdAt: at, updatedAt: at, paidAt: at, ...changes });
}

async function stage() {
  const it = await world({ embeddedService: true });
  const service = await ownShop(it);
  const connected = await it.bridge.connect({ shopId: service.shopId, settings: { recordFrom: '2026-11-15T00:00:00Z' } });
  const shop = new ListedShop();
  for (const [id, day] of [
    ['1', '2026-11-03'],
    ['2', '2026-11-04'],
    ['3', '2026-11-16'],
  ] as const)
    shop.save(soldOn(id, day));
  shop.save(soldOn('4', '2026-11-05', { status: 'pending', paidAt: null }));
  return { it, service, connected, shop, [Symbol.asyncDispose]: () => it[Symbol.asyncDispose]() };
}

async function opened(bridge: Bridge, shop: ListedShop) {
  const deps = await reconcileDeps(bridge, shop);
  const moveRecordFrom: BackfillDeps['moveRecordFrom'] = (...moved) => bridge.app.core.connections.moveRecordFrom(...moved);
  return { ...deps, moveRecordFrom };
}

async function fresh(bridge: Bridge, { connection }: Connected) {
  return (await bridge.app.core.connections.find(connection.id)) ?? connection;
}

test('orders from before are counted by the file that would list them, taken in, and recorded once', async () => {
  await using at = await stage();
  const { it, service, connected, shop } = at;
  const { bridge } = it;
  await bridge.send(connected, 'order.paid', { order: shop.orders.get('1') });
  await bridge.settled(connected, '1', 'ignored');
  await using deps = await opened(bridge, shop);

  const plan = await planBackfill(deps, await fresh(bridge, connected), input);
  expect(plan).toMatchObject({ orders: 2, recorded: 0, goesOn: null, recordFrom: input.from });
  expect(plan.months).toEqual([{ month: expect.stringMatching(/^20\d\d-\d\d$/), currency: 'EUR', orders: 2, total: '96.00' }]);
  expect(await bridge.order(connected, '2')).toBeNull();

  expect(await runBackfill(deps, await fresh(bridge, connected), input)).toEqual({ taken: 2, unread: [] });
  expect(await readActs(bridge.pool, BRIDGE_AUDIT_LOG, { connectionId: connected.connection.id, limit: 2 })).toMatchObject([
    { who: BY, act: 'store.changed', before: { recordFrom: '2026-11-15T00:00:00.000Z' }, after: { recordFrom: input.from } },
    { who: BY, act: 'store.backfilled', after: { from: input.from, until: input.until } },
  ]);
  for (const id of ['1', '2']) await until(async () => (await bridge.order(connected, id))?.state === 'recorded', { what: `order ${id} to be recorded` });
  expect(await standingIn(it, service)).toEqual(['1: 48.00', '2: 48.00']);
  expect((await fresh(bridge, connected)).recordFrom).toBe(input.from);
  expect(await planBackfill(deps, await fresh(bridge, connected), input)).toMatchObject({ orders: 0, recordFrom: null });
});

test('a window that ends earlier leaves recordFrom where it is, and its orders are recorded all the same', async () => {
  await using at = await stage();
  const { it, service, connected, shop } = at;
  const { bridge } = it;
  await using deps = await opened(bridge, shop);
  const earlier = { ...input, until: '2026-11-04T00:00:00.000Z' };

  expect(await planBackfill(deps, await fresh(bridge, connected), earlier)).toMatchObject({ orders: 1, recordFrom: null });
  await runBackfill(deps, await fresh(bridge, connected), earlier);
  await until(async () => (await bridge.order(connected, '1'))?.state === 'recorded', { what: 'order 1 to be recorded' });
  expect((await fresh(bridge, connected)).recordFrom).toBe('2026-11-15T00:00:00.000Z');

  // A later change of it is recorded, too.
  const changed = soldOn('1', '2026-11-03', {
    updatedAt: '2026-11-20T10:00:00Z',
    total: '24.00',
    lines: [{ id: 'a', name: 'Тениска', quantity: 1, amount: '24.00', vatRate: '20' }],
  });
  await bridge.send(connected, 'order.updated', { order: changed });
  await until(async () => (await standingIn(it, service)).join() === '1: 24.00', { what: 'order 1 to be replaced' });
});

test('an order that is known from before its payment is taken in, if it was paid while its store was disconnected', async () => {
  await using at = await stage();
  const { it, connected, shop } = at;
  const { bridge } = it;
  await bridge.send(connected, 'order.created', { order: soldOn('5', '2026-11-05', { status: 'pending', paidAt: null }) });
  await bridge.settled(connected, '5', 'waiting');
  shop.save(soldOn('5', '2026-11-05', { updatedAt: '2026-11-07T10:00:00Z', paidAt: '2026-11-07T10:00:00Z' }));
  const gaps = [{ from: '2026-11-06T00:00:00.000Z', until: '2026-11-14T00:00:00.000Z' }];
  await bridge.pool.query(`update connections set record_from = '2026-10-01', gaps = $1`, [JSON.stringify(gaps)]);
  await using deps = await opened(bridge, shop);
  const missed = { ...input, from: '2026-11-06T00:00:00.000Z' };
  const removed = { how: 'removed', complianceId: null, code: null, who: 'Ana', why: 'it is a test', at: '2026-11-08T10:00:00.000Z' };
  await bridge.pool.query("update orders set resolution = $1::jsonb || jsonb_build_object('revision', revision) where order_id = '5'", [removed]);
  expect(await planBackfill(deps, await fresh(bridge, connected), missed)).toMatchObject({ orders: 0 });
  await bridge.pool.query("update orders set resolution = null where order_id = '5'");

  expect(await planBackfill(deps, await fresh(bridge, connected), missed)).toMatchObject({ orders: 1 });
  expect(await runBackfill(deps, await fresh(bridge, connected), missed)).toEqual({ taken: 1, unread: [] });
  await bridge.settled(connected, '5', 'recorded');
  expect(await planBackfill(deps, await fresh(bridge, connected), missed)).toMatchObject({ orders: 0 });
});

test('what was broken off goes on where it was', async () => {
  await using at = await stage();
  const { it, connected, shop } = at;
  const { bridge } = it;
  for (let id = 100; id < 250; id += 1) shop.save(soldOn(String(id), '2026-11-06'));
  await using deps = await opened(bridge, shop);
  const asked: (string | null)[] = [];
  const broken = { ...deps, openStore: async () => opensUpTo(shop.opened(await fresh(bridge, connected)), asked, 1) };

  await expect(runBackfill(broken, await fresh(bridge, connected), input)).rejects.toThrow('the line was cut');
  expect(await planBackfill(deps, await fresh(bridge, connected), input)).toMatchObject({ goesOn: 99 });
  const whole = { ...deps, openStore: async () => opensUpTo(shop.opened(await fresh(bridge, connected)), asked, 9) };
  expect(await runBackfill(whole, await fresh(bridge, connected), input)).toEqual({ taken: 152, unread: [] });
  expect(asked).toEqual([null, '100', '100']);
});

test('a window with orders that are hidden from the key is refused', async () => {
  await using at = await stage();
  const { it, connected, shop } = at;
  await using deps = await opened(it.bridge, shop);
  shop.since = '2026-11-02T00:00:00.000Z';

  await expect(planBackfill(deps, await fresh(it.bridge, connected), input)).rejects.toThrow(/2026-11-02T00:00:00.000Z are hidden from the key/);
  expect(await planBackfill(deps, await fresh(it.bridge, connected), { ...input, from: shop.since })).toMatchObject({ orders: 2 });
});

test('an order that the store lists twice is counted once', async () => {
  await using at = await stage();
  const { it, connected, shop } = at;
  await using deps = await opened(it.bridge, shop);
  const store = shop.opened(await fresh(it.bridge, connected));
  const twice: ReadableStore = {
    ...store,
    changedSince: async ({ after, ...query }) => ({ ...(await store.changedSince({ ...query, after: null })), next: after === null ? 'again' : null }),
  };
  const handed: string[] = [];
  // The recorder does not come to it before the second page.
  const slow = { ...deps, openStore: async () => twice, handOver: async (news: { id: string }[]) => void handed.push(...news.map(({ id }) => id)) };

  expect(await runBackfill(slow, await fresh(it.bridge, connected), input)).toEqual({ taken: 2, unread: [] });
  expect(handed).toHaveLength(2);
});

test('while the service can’t be read, which may have some of them already, nothing is planned', async () => {
  await using at = await stage();
  const { it, connected, shop } = at;
  await using deps = await opened(it.bridge, shop);
  const listRecords = () => Promise.reject(new Failure('compliance.unreachable', 'it answered 503'));
  const down = { ...deps, records: { ...deps.records, listRecords } };

  await expect(planBackfill(down, await fresh(it.bridge, connected), input)).rejects.toMatchObject({
    said: { en: expect.stringMatching(/are recorded already can’t be said.*it answered 503/), bg: expect.stringMatching(/вече са записани.*it answered 503/) },
  });
});

test('of a service that lists no records it is not known which it has', async () => {
  await using at = await stage();
  const { it, connected, shop } = at;
  await using deps = await opened(it.bridge, shop);
  const foreign = { ...deps, records: { ...deps.records, listRecords: async () => 'not-listed' as const } };

  expect(await planBackfill(foreign, await fresh(it.bridge, connected), input)).toMatchObject({ orders: 2, recorded: null });
});

/** A store whose line is cut after so many pages. */
function opensUpTo(store: ReadableStore, asked: (string | null)[], pages: number) {
  let read = 0;
  return {
    ...store,
    changedSince: async (query: Parameters<ReadableStore['changedSince']>[0]) => {
      asked.push(query.after);
      read += 1;
      if (read > pages) throw new Error('the line was cut');
      return store.changedSince(query);
    },
  };
}
