import { afterAll, beforeAll, expect, test } from 'vitest';
import { BRIDGE_TRAIL } from '../../src/bridge/ledger/bridge-acts.ts';
import type { KeptOrder } from '../../src/bridge/ledger/orders/read-orders.ts';
import { readActs } from '../../src/platform/trail/trail.ts';
import { BY } from '../support/samples/by.ts';
import { startComplianceServer } from '../support/servers/compliance-server.ts';
import { openPool } from '../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { Bridge, type Connected, orderOf } from '../support/worlds/bridge.ts';
import { callerOf, shopDto } from '../support/worlds/compliance-caller.ts';
import { ListedShop } from '../support/worlds/listed-shop.ts';
import { reconciled } from '../support/worlds/reconciled-world.ts';
import { until } from '../support/worlds/settled.ts';
import { edited, refundedInFull } from '../support/worlds/world.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const window = { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' };
const halfRefunded = (id: string, minute: number) => ({ ...refundedInFull(id, minute), refunds: [{ id: 'r1', at: '2026-11-01T10:30:00Z', amount: '24.00' }] });

test('yesterday’s ledger is restored: reconcile adopts what stands, and all agree to the cent', async () => {
  await using service = await startComplianceServer({ databaseUrl: await postgres.createDatabase('service') });
  const key = await service.service.keys.create({ multiShop: true, label: 'test' });
  const shopId = String((await callerOf(service.baseUrl, key)('POST', '/shop', { body: shopDto() })).body['id']);
  const shop = new ListedShop();
  const databaseUrl = await postgres.createDatabase('bridge');
  const open = (url: string) => Bridge.start({ databaseUrl: url, complianceUrl: service.baseUrl });
  const records = async () => (await service.service.records({ shopId })).map(({ record, totals }) => `${record.internalId}: ${totals.total}`).toSorted();

  let connected: Connected;
  {
    await using bridge = await open(databaseUrl);
    const destinationId = await bridge.app.core.destinations.ensure(service.baseUrl, key);
    connected = await bridge.connect({ shopId, settings: { removeWithoutRefund: 'remove' } });
    await bridge.pool.query('update connections set destination_id = $1', [destinationId]);
    for (let id = 1; id <= 8; id += 1) await tell(bridge, connected, shop.save(orderOf(String(id))));
  }
  const dump = await copied(postgres, databaseUrl);
  {
    await using bridge = await open(databaseUrl);
    const day = [
      // Replaced; replaced twice; back to what it was.
      edited('1', 10, '30.00'),
      edited('2', 10, '31.00'),
      edited('2', 20, '32.00'),
      edited('3', 10, '33.00'),
      orderOf('3', { updatedAt: '2026-11-01T10:20:00Z' }),
      // Refunded in part, and whole, and whole for a moment.
      halfRefunded('4', 10),
      refundedInFull('5', 10),
      refundedInFull('6', 10),
      orderOf('6', { updatedAt: '2026-11-01T10:40:00Z' }),
      orderOf('7', { status: 'cancelled', updatedAt: '2026-11-01T10:10:00Z' }),
      // New; new and replaced; new, replaced and back; new and refunded.
      orderOf('11'),
      orderOf('12'),
      edited('12', 10, '30.00'),
      orderOf('13'),
      edited('13', 10, '30.00'),
      orderOf('13', { updatedAt: '2026-11-01T10:20:00Z' }),
      orderOf('14'),
      refundedInFull('14', 10),
    ];
    for (const order of day) await tell(bridge, connected, shop.save(order));
  }
  const standing = await records();
  expect(standing).toEqual(shop.kept.filter((line) => !line.endsWith(' 0.00') && !line.startsWith('7:')));

  await using restored = await open(dump);
  const wanted = { orders: standing.length, total: '356.00' };
  const before = await reconciled(restored, connected, { shop, dryRun: true, ...window });
  expect(before.kinds).toEqual(expect.arrayContaining(['1 stale-here', '4 stale-here', '5 stale-here', '7 stale-here', '11 unknown-here', '13 unknown-here']));
  // Sent again by the store before anybody reconciles: the service refuses one, and repeats the answer for a record that it deleted since.
  for (const id of ['12', '13']) await tell(restored, connected, shop.orders.get(id) ?? {});
  expect(await restored.order(connected, '12')).toMatchObject({ state: 'review', review: { code: 'compliance.refused' } });
  const left = await reconciled(restored, connected, { shop, ...window });

  expect(left.differences).toEqual([]);
  expect(left).toMatchObject({ store: wanted, ledger: wanted, service: wanted, unchecked: [], isWhole: true });
  expect(await records()).toEqual(standing);
  expect((await restored.pool.query("select from orders where state not in ('recorded', 'removed')")).rowCount).toBe(0);
  const adopted = await restored.order(connected, '13');
  expect((await restored.steps(adopted as KeptOrder)).map(({ kind, outcome }) => `${kind} ${outcome}`)).toContain('create adopted');
  const acts = await readActs(restored.pool, BRIDGE_TRAIL, { connectionId: connected.connection.id, limit: 100 });
  expect(acts).toContainEqual(expect.objectContaining({ who: BY, act: 'order.adopted', orderRef: adopted?.id }));
  expect(acts.filter(({ act }) => act === 'store.reconciled')).toMatchObject([{ who: BY, before: expect.any(Object), after: { left: 0 } }]);
});

async function tell(bridge: Bridge, connected: Connected, order: Record<string, unknown>): Promise<void> {
  await bridge.send(connected, 'order.updated', { order });
  const id = String(order['id']);
  await until(
    async () => {
      const known = await bridge.order(connected, id);
      const isRead = known?.facts.snapshot?.updatedAt === new Date(String(order['updatedAt'])).toISOString();
      return isRead && known.revision === Math.max(known.recordedRevision, known.reviewRevision);
    },
    { what: `order ${id} to be at rest`, timeoutMs: 20_000 },
  );
}

/** A copy of a database that nobody uses at the moment. */
async function copied({ url }: TestPostgres, databaseUrl: string): Promise<string> {
  const { pool, end } = openPool(url);
  const name = new URL(databaseUrl).pathname.slice(1);
  await pool.query(`create database ${name}_dump template ${name}`);
  await end();
  const address = new URL(databaseUrl);
  address.pathname = `/${name}_dump`;
  return address.href;
}
