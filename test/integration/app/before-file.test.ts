import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { beforeFile } from '../../../src/app/before-file.ts';
import { startReporting } from '../../../src/app/outstanding-reporter.ts';
import { noteHanded } from '../../../src/bridge/ledger/sync/known-summaries.ts';
import { claimJob } from '../../../src/platform/jobs/job-store.ts';
import { longTest } from '../../support/long-test.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const newWorld = useSharedWorlds();
const reporter = { report: async () => undefined };

/** A shop with a store that can be read; nobody reads it, and nobody records. */
async function stage() {
  const world = await newWorld({ role: 'receiver' });
  const { core } = world.bridge.app;
  const shopId = randomUUID();
  const { connection } = await world.bridge.connect({ shopId, access: { url: 'https://corner.example' } });
  const { ask, isAnswered } = beforeFile({ core, reporter });
  const key = { shopId, month: '2026-10' };
  const read = () => core.pool.query(`update store_syncs set wanted = '[]' where connection_id = $1`, [connection.id]);
  const answered = () => isAnswered({ ...key, since: new Date() });
  return { world, connection, ask: () => ask(key), read, answered, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

test('the file of a month waits for its own stores, whatever others have on the queue', async () => {
  await using at = await stage();
  const { bridge } = at.world;
  const other = await bridge.connect({ name: 'other' });
  expect(await bridge.send(other, 'order.paid', { order: orderOf('1') })).toBe(200);

  await at.ask();
  expect(await at.answered()).toBe(false);
  await at.read();
  expect(await at.answered()).toBe(true);
});

test('it waits for what was read and is not recorded yet', async () => {
  await using at = await stage();
  const { bridge } = at.world;
  const id = randomUUID();
  await noteHanded(bridge.pool, [{ id, connectionId: at.connection.id }]);
  expect(await at.answered()).toBe(false);

  // As the queue would give it to the recorder.
  await bridge.pool.query(`insert into deliveries (id, connection_id, topic, arrived_at, outcome) values ($1, $2, 'reconcile', now(), 'merged')`, [
    id,
    at.connection.id,
  ]);
  expect(await at.answered()).toBe(true);
});

test('what the queue lost is not waited for, nor kept', async () => {
  await using at = await stage();
  const { pool } = at.world.bridge;
  const connectionId = at.connection.id;
  await noteHanded(pool, [{ id: randomUUID(), connectionId }]);
  await pool.query(`update sync_handed set at = now() - interval '2 hours'`);
  expect(await at.answered()).toBe(true);

  await noteHanded(pool, [{ id: randomUUID(), connectionId }]);
  expect(await at.answered()).toBe(false);
  expect((await pool.query('select from sync_handed')).rowCount).toBe(1);
});

longTest('a report that another process makes for too long is not taken for made', async () => {
  await using at = await stage();
  const { core } = at.world.bridge.app;
  const { shopId } = at.connection;
  await using reporting = startReporting({ core, embeddedUrl: async () => 'http://127.0.0.1:9' });
  expect(await claimJob(core.pool, { kind: 'outstanding', key: shopId, leaseMs: 60_000 })).not.toBeNull();

  await expect(reporting.report(shopId)).rejects.toThrow('has not ended');
});
