import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { addShop, addShops, noteLooked, reportedShop, unrecordedOrders } from '../../../../src/bridge/ledger/alerts/outstanding-store.ts';
import { isBeingRecorded, isWanted, wantWindow } from '../../../../src/bridge/ledger/sync/sync-store.ts';
import { claimJobs } from '../../../../src/platform/jobs/job-store.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { facts } from '../../../support/samples/order-facts.ts';
import { startPostgres, type TestPostgres } from '../../../support/servers/postgres.ts';
import { Bridge } from '../../../support/worlds/bridge.ts';
import { jobsLeft } from '../../../support/worlds/jobs.ts';
import { readIn } from '../../../support/worlds/read-in.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const stopped = async () => Bridge.start({ databaseUrl: await postgres.createDatabase(), role: 'receiver' });

type Row = {
  orderId: string;
  state: string;
  code?: string | null;
  revision?: number;
  recorded?: number;
  asked?: number;
  record?: object | null;
  minutes?: number;
};

/** Puts an order of a connection into the ledger as it is. */
async function put({ pool }: Bridge, { id, shopId }: { id: string; shopId: string }, { orderId, ...row }: Row): Promise<void> {
  const { customer: _, ...stored } = facts();
  await pool.query(
    `with made as (insert into orders (shop_id, platform, store, order_id, connection_id, revision, recorded_revision, review_revision, state, review_code, record, dirty_since)
       values ($1, 'standard', 'corner', $2, $3, $5, $6, $7, $8, $9, $10, now() - $11 * interval '1 minute') returning id)
     insert into order_facts select id, $4::jsonb from made`,
    [
      shopId,
      orderId,
      id,
      JSON.stringify(stored),
      row.revision ?? 1,
      row.recorded ?? 0,
      row.asked ?? 0,
      row.state,
      row.code ?? null,
      row.record ?? null,
      row.minutes ?? 10,
    ],
  );
}

async function connected(bridge: Bridge) {
  const destinationId = await bridge.app.core.destinations.ensure('https://service.example', { apiKey: 'key', apiSecret: 'secret' });
  const shopId = randomUUID();
  const id = `c_${randomUUID()}`;
  await bridge.pool.query(
    `insert into connections (id, platform, name, store, shop_id, destination_id, secrets, store_access, settings, record_from)
      values ($1, 'standard', 'corner', 'corner', $2, $3, 'sealed', 'sealed', '{}', now())`,
    [id, shopId, destinationId],
  );
  return { id, shopId, destinationId };
}

test('a shop with such an order has a job, and what its service was told is kept', async () => {
  await using bridge = await stopped();
  const { pool } = bridge;
  const shop = await connected(bridge);
  await addShops(pool);
  expect(await jobsLeft(pool)).toEqual([]);
  await put(bridge, shop, { orderId: '1', state: 'review', code: 'payment.unmapped', asked: 1 });

  await Promise.all([addShops(pool), addShops(pool)]);

  expect(await jobsLeft(pool)).toMatchObject([{ key: shop.shopId, isLeased: false }]);
  const told = await reportedShop(pool, shop.shopId);
  expect(told).toEqual({ shopId: shop.shopId, destinationId: shop.destinationId, at: null, months: null, error: null });
  const list = { at: '2026-11-10T04:00:00.000Z', months: [] };
  if (told !== null) await noteLooked(pool, told, { reported: list, error: null });
  if (told !== null) await noteLooked(pool, told, { reported: null, error: '503' });
  expect(await reportedShop(pool, shop.shopId)).toMatchObject({ ...list, error: '503' });
  await addShop(pool, randomUUID());
  expect(await jobsLeft(pool)).toHaveLength(1);
});

test('a job that somebody deleted comes back, and one that is there stays as it is', async () => {
  await using bridge = await stopped();
  const { pool } = bridge;
  const [deleted, other] = [await connected(bridge), await connected(bridge)];
  for (const shop of [deleted, other]) await put(bridge, shop, { orderId: '1', state: 'review', code: 'vat.unmapped', asked: 1 });
  await addShops(pool);
  await pool.query(`update jobs set due_at = now() + interval '1 hour', error = '503'`);
  await pool.query('delete from jobs where key = $1', [deleted.shopId]);

  await addShops(pool);

  expect(await claimJobs(pool, 'outstanding', { size: 10, leaseMs: 60_000 })).toMatchObject([{ key: deleted.shopId, error: null }]);
  expect(await jobsLeft(pool)).toHaveLength(2);
});

test('a shop that is of another service now was told nothing', async () => {
  await using bridge = await stopped();
  const { pool } = bridge;
  const shop = await connected(bridge);
  await addShop(pool, shop.shopId);
  const told = await reportedShop(pool, shop.shopId);
  if (told === null) throw new Error('it is not known');
  await noteLooked(pool, told, { reported: { at: '2026-11-10T04:00:00.000Z', months: [] }, error: null });
  await pool.query(`update jobs set due_at = now() + interval '1 hour'`);
  const later = await bridge.app.core.destinations.ensure('https://other.example', { apiKey: 'key', apiSecret: 'secret' });
  await pool.query('update connections set destination_id = $2 where id = $1', [shop.id, later]);

  await addShops(pool);

  expect(await reportedShop(pool, shop.shopId)).toMatchObject({ destinationId: later, at: null, months: null });
  expect(await claimJobs(pool, 'outstanding', { size: 10, leaseMs: 60_000 })).toMatchObject([{ key: shop.shopId }]);
});

test('orders without a record are those that wait for a person, or for longer than a few minutes', async () => {
  await using bridge = await stopped();
  const shop = await connected(bridge);
  await put(bridge, shop, { orderId: 'review', state: 'review', code: 'vat.unmapped', asked: 1 });
  await put(bridge, shop, { orderId: 'unconfirmed', state: 'unconfirmed', asked: 1 });
  await put(bridge, shop, { orderId: 'late', state: 'queued' });
  await put(bridge, shop, { orderId: 'under-way', state: 'queued', minutes: 1 });
  await put(bridge, shop, { orderId: 'changed', state: 'review', code: 'total.mismatch', asked: 1, record: {} });
  await put(bridge, shop, { orderId: 'recorded', state: 'recorded', recorded: 1, record: {} });
  await put(bridge, shop, { orderId: 'ignored', state: 'ignored', recorded: 1 });
  await put(bridge, await connected(bridge), { orderId: 'other', state: 'review', code: 'vat.unmapped', asked: 1 });
  const codes = async () => {
    const found: string[] = [];
    for await (const page of unrecordedOrders(bridge.pool, shop.shopId, 3 * 60_000)) found.push(...page.map(({ orderId, code }) => `${orderId}: ${code}`));
    return found.toSorted();
  };

  expect(await codes()).toEqual(['late: queued', 'review: vat.unmapped', 'unconfirmed: unconfirmed']);

  await bridge.pool.query(`insert into pauses (destination_id, shop_id, code, detail, until) values ($1, null, 'compliance.unreachable', 'down', now())`, [
    shop.destinationId,
  ]);
  expect(await codes()).toContain('late: compliance.unreachable');
});

test('a window is wanted until it was read, and orders are being recorded until they were submitted', async () => {
  await using bridge = await stopped();
  const shop = await connected(bridge);
  const why = 'the file of 2026-10';
  expect(await isWanted(bridge.pool, [shop.id], why)).toBe(false);
  await bridge.pool.query(`insert into store_syncs (connection_id, wanted) values ($1, '[{"since": "2026-01-01T00:00:00.000Z", "why": "start"}]')`, [shop.id]);
  await readIn(bridge.pool, shop.id, 3_600_000);
  await wantWindow(bridge.pool, shop.id, { since: '2026-09-30T00:00:00.000Z', why });

  expect(await isWanted(bridge.pool, [shop.id], why)).toBe(true);
  const syncRuns = rowsOf('store_syncs', z.object({ wanted: z.int(), due: z.boolean() }));
  const text = 'select jsonb_array_length(wanted) as wanted, due_at <= now() as due from store_syncs join jobs on key = connection_id';
  expect(await readOne(bridge.pool, syncRuns, { text })).toEqual({ wanted: 2, due: true });
  await bridge.pool.query(`update store_syncs set wanted = '[]', last = jsonb_build_object('why', $1::text)`, [why]);
  expect(await isWanted(bridge.pool, [shop.id], why)).toBe(false);

  expect(await isBeingRecorded(bridge.pool, shop.shopId)).toBe(false);
  await put(bridge, shop, { orderId: '1', state: 'queued' });
  expect(await isBeingRecorded(bridge.pool, shop.shopId)).toBe(true);
});
