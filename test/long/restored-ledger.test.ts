import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BRIDGE_AUDIT_LOG } from '../../src/bridge/ledger/bridge-acts.ts';
import type { KeptOrder } from '../../src/bridge/ledger/orders/read-orders.ts';
import { resumeRecording } from '../../src/operations/service/resume-recording.ts';
import { readActs } from '../../src/platform/audit-log/audit-log.ts';
import { BY } from '../support/samples/by.ts';
import { startComplianceServer } from '../support/servers/compliance-server.ts';
import { askPostgres, baseBackup, type PostgresIn, postgresIn, writeClusterFile } from '../support/servers/copied-postgres.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { scratchDir } from '../support/servers/scratch-dir.ts';
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

test('yesterday’s ledger is restored: nothing is recorded, reconcile adopts what stands, and all agree to the cent', async () => {
  await using folder = await scratchDir();
  const place = await archived(folder.path);
  await using service = await startComplianceServer({ databaseUrl: await postgres.createDatabase('service') });
  const key = await service.service.keys.create({ multiShop: true, label: 'test' });
  const shopId = String((await callerOf(service.baseUrl, key)('POST', '/shop', { body: shopDto() })).body['id']);
  const shop = new ListedShop();
  const open = (url: string) => Bridge.start({ databaseUrl: url, complianceUrl: service.baseUrl });
  const records = async () => (await service.service.records({ shopId })).map(({ record, totals }) => `${record.internalId}: ${totals.total}`).toSorted();

  let connected: Connected;
  {
    await using server = await postgresIn(place.live, place.archiving);
    await using bridge = await open(server.url);
    const destinationId = await bridge.app.core.destinations.ensure(service.baseUrl, key);
    connected = await bridge.connect({ shopId, settings: { removeWithoutRefund: 'remove' } });
    await bridge.pool.query('update connections set destination_id = $1', [destinationId]);
    for (let id = 1; id <= 8; id += 1) await tell(bridge, connected, shop.save(orderOf(String(id))));
  }
  {
    await using server = await postgresIn(place.live);
    await baseBackup(server.url, place.live, place.restored);
    await askPostgres(server.url, "select pg_create_restore_point('yesterday')");
    await using bridge = await open(server.url);
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
    await archivedWhole(server);
  }
  const current = await records();
  expect(current).toEqual(shop.kept.filter((line) => !line.endsWith(' 0.00') && !line.startsWith('7:')));

  await writeClusterFile(place.restored, 'recovery.signal', '');
  await using server = await postgresIn(place.restored, place.restoring);
  await until(async () => expect(await askPostgres(server.url, 'select pg_is_in_recovery() as r')).toEqual([{ r: false }]), { what: 'the restore to end' });
  await using restored = await open(server.url);
  const wanted = { orders: current.length, total: '356.00' };
  const before = await reconciled(restored, connected, { shop, dryRun: true, ...window });
  expect(before.kinds).toEqual(expect.arrayContaining(['1 stale-here', '4 stale-here', '5 stale-here', '7 stale-here', '11 unknown-here', '13 unknown-here']));
  // Sent again by the store before anybody reconciles.
  for (const id of ['12', '13']) expect(await restored.send(connected, 'order.updated', { order: shop.orders.get(id) })).toBe(200);
  for (const id of ['12', '13']) await until(async () => expect((await restored.order(connected, id))?.state).toBe('queued'), { what: `order ${id} to wait` });
  // Once for what the store knows, once more for the records of that: then nothing is left but what the program must send.
  await reconciled(restored, connected, { shop, ...window });
  const toSend = await reconciled(restored, connected, { shop, ...window });
  expect(new Set(toSend.differences.map(({ why }) => why))).toEqual(new Set(['replace']));
  expect(await records()).toEqual(current);
  expect((await restored.app.healthReader.now()).failedChecks.map(({ code }) => code)).toContain('database.restored');
  await resumeRecording(restored.app.core, new Map(), { next: new Map(), ahead: null, keep: false, by: BY, why: 'backup restored' });
  const left = await reconciled(restored, connected, { shop, ...window });

  expect(left.differences).toEqual([]);
  expect(left).toMatchObject({ store: wanted, ledger: wanted, service: wanted, unchecked: [], isWhole: true });
  expect(await records()).toEqual(current);
  expect((await restored.pool.query("select from orders where state not in ('recorded', 'removed')")).rowCount).toBe(0);
  const adopted = await restored.order(connected, '13');
  expect((await restored.steps(adopted as KeptOrder)).map(({ kind, outcome }) => `${kind} ${outcome}`)).toContain('create adopted');
  const acts = await readActs(restored.pool, BRIDGE_AUDIT_LOG, { connectionId: connected.connection.id, limit: 100 });
  expect(acts).toContainEqual(expect.objectContaining({ who: BY, act: 'order.adopted', orderRef: adopted?.id }));
  const reconciledActs = acts.filter(({ act }) => act === 'store.reconciled');
  expect(reconciledActs.length).toBeGreaterThan(1);
  for (const act of reconciledActs) expect(act).toMatchObject({ who: BY, before: expect.any(Object), after: expect.any(Object) });
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
    { what: `order ${id} to be at rest` },
  );
}

/** Where a server is, and where it is restored; its WAL is archived. */
async function archived(path: string) {
  const [live, restored, archive] = ['live', 'restored', 'archive'].map((name) => join(path, name)) as [string, string, string];
  await mkdir(archive);
  // PostgreSQL may run as another user.
  await chmod(archive, 0o777);
  await (await postgresIn(live))[Symbol.asyncDispose]();
  const archiving = { archive_mode: 'on', archive_command: `cp %p ${archive}/%f` };
  const restoring = { archive_mode: 'off', restore_command: `cp ${archive}/%f %p`, recovery_target_name: 'yesterday', recovery_target_action: 'promote' };
  return { live, restored, archiving, restoring };
}

async function archivedWhole({ url }: PostgresIn): Promise<void> {
  const [row] = await askPostgres(url, 'select pg_walfile_name(pg_switch_wal()) as file');
  const isArchived = async () => expect((await askPostgres(url, 'select last_archived_wal as file from pg_stat_archiver'))[0]?.['file']).toBe(row?.['file']);
  await until(isArchived, { what: 'the WAL to be archived' });
}
