import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { OutboxKind } from '../../../../src/bridge/delivery/outbox-jobs.ts';
import { ordersOfJobs, undoneOutboxJobs } from '../../../../src/bridge/ledger/outbox-job-store.ts';
import { erase } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { claimJobs, type Job, settleJobs, unblockJobs } from '../../../../src/platform/jobs/job-store.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { jobsLeft } from '../../../support/worlds/jobs.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { recorded, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

/** A recorded order whose buyer is erased; nobody runs its outbox job. */
async function erased(it: World): Promise<{ orderId: number; forget(): Promise<void> }> {
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');
  const order = await it.bridge.order(connected, '1');
  const { shopId, platform } = connected.connection;
  const forget = () => erase(it.bridge.pool, { shopId, platform, store: order?.store ?? '', orderIds: ['1'], until: new Date().toISOString() });
  await forget();
  return { orderId: order?.id ?? 0, forget };
}

const open = () => world({ config: { sweepSeconds: 3_000 } });
type Look = { kind?: OutboxKind; failing?: Record<string, number> };
const told = async ({ bridge: { pool } }: World, orderId: number, { kind = 'forget-buyer', failing = {} }: Look = {}) =>
  (await ordersOfJobs(pool, kind, [orderId], failing))[0];
const fenceOf = async ({ bridge: { pool } }: World, orderId: number) =>
  (await readOne(pool, rowsOf('orders', z.object({ fence: z.int() })), { text: 'select fence from orders where id = $1', values: [orderId] })).fence;
async function claimed({ bridge: { pool } }: World): Promise<Job> {
  const [job, ...more] = await claimJobs(pool, 'forget-buyer', { size: 10, leaseMs: 0 });
  if (job === undefined || more.length > 0) throw new Error(`there are ${more.length} jobs beside the first`);
  return job;
}

describe('an outbox job', () => {
  test('is that of an erased order', async () => {
    await using it = await open();
    const { orderId } = await erased(it);

    expect(await claimed(it)).toMatchObject({ key: String(orderId) });
    expect(await told(it, orderId)).toMatchObject({ orderId, complianceId: expect.any(String), isDeleted: false, isFree: true, waitsMs: null });
  });

  test('of an order that is being processed waits, and an attempt that began before it writes no more', async () => {
    await using it = await open();
    const { orderId } = await erased(it);
    const { pool } = it.bridge;
    const fence = () => fenceOf(it, orderId);
    const before = await fence();

    await pool.query(`update orders set lease_until = now() + interval '1 minute' where id = $1`, [orderId]);
    expect([(await told(it, orderId))?.isFree, await fence()]).toEqual([false, before]);
    await pool.query(`update orders set lease_until = now() - interval '1 minute' where id = $1`, [orderId]);
    expect([(await told(it, orderId))?.isFree, await fence()]).toEqual([true, before + 1]);
  });

  test('to a destination that fails leaves its order as it is', async () => {
    await using it = await open();
    const { orderId } = await erased(it);
    const { destinationId } = (await told(it, orderId)) ?? {};
    const before = await fenceOf(it, orderId);

    expect(await told(it, orderId, { failing: { [String(destinationId)]: 90_000 } })).toMatchObject({ destinationId, isFree: false, waitsMs: 90_000 });
    expect(await fenceOf(it, orderId)).toBe(before);
  });

  test('to a paused service waits for the end of the pause', async () => {
    await using it = await open();
    const { orderId } = await erased(it);
    const { pool } = it.bridge;
    const destination = 'select record_destination from orders';
    const pause = `insert into pauses (destination_id, code, detail, until) values ((${destination}), 'compliance.throttled', '429', now() + interval '1 minute')`;
    await pool.query(pause);

    const { isFree, waitsMs } = (await told(it, orderId)) ?? {};
    expect(isFree).toBe(false);
    expect(Math.abs((waitsMs ?? 0) - 60_000)).toBeLessThan(50_000);
    await pool.query('update pauses set until = now()');
    expect(await told(it, orderId)).toMatchObject({ isFree: false, waitsMs: 10_000 });
    // A probe may end it at any time, but each of many jobs looks for that the less often the longer it lasts.
    await pool.query(`update pauses set since = now() - interval '20 minutes'`);
    expect(Math.abs(((await told(it, orderId))?.waitsMs ?? 0) - 1_200_000)).toBeLessThan(60_000);
    await pool.query('delete from pauses');
    expect(await told(it, orderId)).toMatchObject({ isFree: true, waitsMs: null });
  });

  test('that could not be done is told of, until it is', async () => {
    await using it = await open();
    const { forget } = await erased(it);
    const { pool } = it.bridge;
    const end = async (waitMs: number | null, error: string) => settleJobs(pool, { done: [], left: [{ job: await claimed(it), waitMs, attempts: 1, error }] });

    await end(0, '500');
    expect(await undoneOutboxJobs(pool)).toMatchObject([{ kind: 'forget-buyer', problem: 'failed', count: 1, detail: '500' }]);
    await end(null, 'the service can’t be told');
    expect(await undoneOutboxJobs(pool)).toMatchObject([{ problem: 'unsupported', count: 1 }]);
    await unblockJobs(pool, [{ kind: 'forget-buyer' }]);
    expect(await undoneOutboxJobs(pool)).toEqual([]);
    await settleJobs(pool, { done: [await claimed(it)], left: [] });
    // Who is erased already is not asked for again.
    await forget();
    expect(await jobsLeft(pool)).toEqual([]);
  });

  test('of an order of which only a person knows what is recorded waits until they have said it', async () => {
    await using it = await open();
    const { orderId } = await erased(it);
    const { pool } = it.bridge;
    const step = JSON.stringify({ kind: 'delete', seq: 1 });

    await pool.query(`update orders set state = 'unconfirmed', open_step = $1`, [step]);
    expect(await told(it, orderId)).toMatchObject({ isFree: false, waitsMs: 60_000 });
    await pool.query(`update orders set state = 'queued', open_step = null`);
    expect((await told(it, orderId))?.isFree).toBe(true);
  });

  test('to forget the buyer of a deleted record names the last one', async () => {
    await using it = await open();
    const { orderId } = await erased(it);
    const current = await told(it, orderId);
    await it.bridge.pool.query(`update orders set record = null, compliance_id = null, record_destination = null, state = 'removed'`);

    expect(await told(it, orderId)).toEqual({ ...current, isDeleted: true });
    expect(await told(it, orderId, { kind: 'delivered' })).toMatchObject({ complianceId: null, destinationId: null, isDeleted: false });
    await settleJobs(it.bridge.pool, { done: [], left: [{ job: await claimed(it), waitMs: 0, attempts: 1, error: '500' }] });
    const { destinationId, complianceId } = current ?? {};
    expect(await undoneOutboxJobs(it.bridge.pool)).toMatchObject([
      { kind: 'forget-buyer', problem: 'failed', destinationId, count: 1, records: [complianceId] },
    ]);
  });
});
