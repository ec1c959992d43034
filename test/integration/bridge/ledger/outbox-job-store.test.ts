import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { OutboxJob } from '../../../../src/bridge/delivery/run-outbox-jobs.ts';
import { createOutboxJobStore, dropUnsupported, forgetBuyersOf, undoneOutboxJobs } from '../../../../src/bridge/ledger/outbox-job-store.ts';
import { erase } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { readOne, readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import type { Bridge } from '../../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { recorded, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
const page = { size: 10, except: [] };

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
const outboxJobRows = rowsOf('outbox_jobs', z.object({ attempts: z.int(), problem: z.string().nullable(), due: z.boolean() }));
const rows = ({ pool }: Bridge) => readRows(pool, outboxJobRows, { text: 'select attempts, problem, next_at <= now() as due from outbox_jobs' });
const only = (outboxJobs: readonly OutboxJob[]): OutboxJob => {
  const [one] = outboxJobs;
  if (one === undefined || outboxJobs.length > 1) throw new Error(`there are ${outboxJobs.length} outbox jobs`);
  return one;
};

describe('an outbox job', () => {
  test('is taken by one process; if that dies, it is due again', async () => {
    await using it = await open();
    const { orderId } = await erased(it);
    const store = createOutboxJobStore(it.bridge.pool);

    expect(only(await store.take(page))).toMatchObject({ orderId, kind: 'forget-buyer', attempts: 1, isFree: true });
    expect(await store.take(page)).toEqual([]);
    await it.bridge.pool.query(`update outbox_jobs set next_at = next_at - interval '2 minutes'`);
    expect(only(await store.take(page))).toMatchObject({ orderId, attempts: 2 });
  });

  test('of an order that is being processed waits, and an attempt that began before it writes no more', async () => {
    await using it = await open();
    const { orderId } = await erased(it);
    const { pool } = it.bridge;
    const store = createOutboxJobStore(pool);
    const fence = async () =>
      (await readOne(pool, rowsOf('orders', z.object({ fence: z.int() })), { text: 'select fence from orders where id = $1', values: [orderId] })).fence;
    const before = await fence();
    await pool.query(`update orders set lease_until = now() + interval '1 minute' where id = $1`, [orderId]);

    const busy = only(await store.take(page));
    await store.later(busy, { ms: 0, why: null });
    expect([busy.isFree, await fence(), await rows(it.bridge)]).toEqual([false, before, [{ attempts: 0, problem: null, due: true }]]);
    await pool.query(`update orders set lease_until = now() - interval '1 minute' where id = $1`, [orderId]);
    expect(only(await store.take(page)).isFree).toBe(true);
    expect(await fence()).toBe(before + 1);
  });

  test('to a paused service waits for the end of the pause', async () => {
    await using it = await open();
    await erased(it);
    const { pool } = it.bridge;
    const destination = 'select record_destination from orders';
    await pool.query(`insert into pauses (destination_id, code, detail, until) values ((${destination}), 'compliance.throttled', '429', now())`);

    expect(await createOutboxJobStore(pool).take(page)).toEqual([]);
    await pool.query('delete from pauses');
    expect(await createOutboxJobStore(pool).take(page)).toHaveLength(1);
  });

  test('that could not be done is told of, until it is; one to a service that can’t be told for 30 days', async () => {
    await using it = await open();
    const { forget } = await erased(it);
    const { pool } = it.bridge;
    const store = createOutboxJobStore(pool);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 + 60_000);

    await store.later(only(await store.take(page)), { ms: 0, why: '500' });
    expect(await undoneOutboxJobs(pool)).toMatchObject([{ kind: 'forget-buyer', problem: 'failed', count: 1, detail: '500' }]);
    await store.unsupported(only(await store.take(page)));
    expect(await undoneOutboxJobs(pool)).toMatchObject([{ problem: 'unsupported', count: 1 }]);
    await store.supported(['forget-buyer']);
    await store.unsupported(only(await store.take(page)));
    expect(await dropUnsupported(pool, inDays(29))).toBe(0);
    expect(await dropUnsupported(pool, inDays(30))).toBe(1);
    // Who is erased already is not asked for again.
    await forget();
    expect(await rows(it.bridge)).toEqual([]);
  });

  test('that was overtaken by news is not ended by an answer to the one before', async () => {
    await using it = await open();
    const { orderId } = await erased(it);
    const store = createOutboxJobStore(it.bridge.pool);
    const taken = only(await store.take(page));
    await it.bridge.pool.query('update outbox_jobs set attempts = 0, next_at = now() where order_ref = $1', [orderId]);

    await store.done(taken);

    expect(await rows(it.bridge)).toEqual([{ attempts: 0, problem: null, due: true }]);
  });

  test('that was overtaken by news, and is taken by another process, is not ended by an answer to the one before either', async () => {
    await using it = await open();
    const { orderId } = await erased(it);
    const { pool } = it.bridge;
    const store = createOutboxJobStore(pool);
    const before = only(await store.take(page));
    await pool.query(forgetBuyersOf('select $1::bigint as order_ref'), [orderId]);
    const after = only(await store.take(page));

    expect(after.attempts).toBe(before.attempts);
    await store.done(before);
    await store.later(before, { ms: 0, why: '503' });
    await store.unsupported(before);
    expect(await rows(it.bridge)).toEqual([{ attempts: 1, problem: null, due: false }]);
    await store.done(after);
    expect(await rows(it.bridge)).toEqual([]);
  });

  test('of an order of which only a person knows what is recorded waits until they have said it', async () => {
    await using it = await open();
    await erased(it);
    const { pool } = it.bridge;
    const store = createOutboxJobStore(pool);
    const step = JSON.stringify({ kind: 'delete', seq: 1 });
    await pool.query(`update orders set state = 'unconfirmed', open_step = $1`, [step]);

    expect(await store.take(page)).toEqual([]);
    await pool.query(`update orders set state = 'queued', open_step = null`);
    expect(only(await store.take(page)).isFree).toBe(true);
  });

  test('to forget the buyer of a deleted record names the last one, and leaves out its service as long as that fails', async () => {
    await using it = await open();
    await erased(it);
    const { pool } = it.bridge;
    const store = createOutboxJobStore(pool);
    const stood = only(await store.take(page));
    await store.later(stood, { ms: 0, why: null });
    await pool.query(`update orders set record = null, compliance_id = null, record_destination = null, state = 'removed'`);

    expect(await store.take({ ...page, except: [stood.destinationId ?? ''] })).toEqual([]);
    const deleted = only(await store.take(page));
    expect(deleted).toEqual({ ...stood, isDeleted: true });
    await pool.query(`update outbox_jobs set next_at = now(), kind = 'delivered'`);
    expect(only(await store.take(page))).toMatchObject({ complianceId: null, destinationId: null, isDeleted: false });
  });
});
