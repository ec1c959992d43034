import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createOutstandingStore, unrecordedOrders } from '../../../../src/bridge/ledger/alerts/outstanding-store.ts';
import { isBeingRecorded, isWanted, wantWindow } from '../../../../src/bridge/ledger/sync/sync-store.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { facts } from '../../../support/samples/order-facts.ts';
import { startPostgres, type TestPostgres } from '../../../support/servers/postgres.ts';
import { Bridge } from '../../../support/worlds/bridge.ts';

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

test('one process at a time looks at a shop', async () => {
  await using bridge = await stopped();
  const [one, other] = [createOutstandingStore(bridge.pool), createOutstandingStore(bridge.pool)];
  const shop = await connected(bridge);
  await put(bridge, shop, { orderId: '1', state: 'review', code: 'payment.unmapped', asked: 1 });
  await Promise.all([one.add(), other.add()]);

  const taken = (await Promise.all([one.takeDue(10), other.takeDue(10)])).flat();

  expect(taken).toMatchObject([{ shopId: shop.shopId, destinationId: shop.destinationId, at: null, months: null }]);
  expect(await other.take(shop.shopId)).toBe('leased');
  expect(await other.take(randomUUID())).toBe('unknown');
  const [leased] = taken;
  if (leased === undefined) throw new Error('nobody has it');
  const list = { at: '2026-11-10T04:00:00.000Z', months: [] };
  await one.looked({ ...leased, holder: randomUUID() }, { reported: list, error: null, nextMs: 60_000 });
  expect(await other.take(shop.shopId)).toBe('leased');

  await one.looked(leased, { reported: list, error: null, nextMs: 60_000 });
  expect(await other.takeDue(10)).toEqual([]);
  expect(await other.take(shop.shopId)).toMatchObject(list);
});

test('a shop that is of another service now was told nothing', async () => {
  await using bridge = await stopped();
  const store = createOutstandingStore(bridge.pool);
  const shop = await connected(bridge);
  const leased = await store.take(shop.shopId);
  if (typeof leased === 'string') throw new Error('nobody has it');
  await store.looked(leased, { reported: { at: '2026-11-10T04:00:00.000Z', months: [] }, error: null, nextMs: 60_000 });
  const later = await bridge.app.core.destinations.ensure('https://other.example', { apiKey: 'key', apiSecret: 'secret' });
  await bridge.pool.query('update connections set destination_id = $2 where id = $1', [shop.id, later]);

  await store.add();

  expect(await store.takeDue(10)).toMatchObject([{ destinationId: later, at: null, months: null }]);
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
  await bridge.pool.query(
    `insert into store_syncs (connection_id, wanted, next_at) values ($1, '[{"since": "2026-01-01T00:00:00.000Z", "why": "start"}]', now() + interval '1 hour')`,
    [shop.id],
  );
  await wantWindow(bridge.pool, shop.id, { since: '2026-09-30T00:00:00.000Z', why });

  expect(await isWanted(bridge.pool, [shop.id], why)).toBe(true);
  const syncRuns = rowsOf('store_syncs', z.object({ wanted: z.int(), due: z.boolean() }));
  const text = 'select jsonb_array_length(wanted) as wanted, next_at <= now() as due from store_syncs';
  expect(await readOne(bridge.pool, syncRuns, { text })).toEqual({ wanted: 2, due: true });
  await bridge.pool.query(`update store_syncs set wanted = '[]', last = jsonb_build_object('why', $1::text)`, [why]);
  expect(await isWanted(bridge.pool, [shop.id], why)).toBe(false);

  expect(await isBeingRecorded(bridge.pool, shop.shopId)).toBe(false);
  await put(bridge, shop, { orderId: '1', state: 'queued' });
  expect(await isBeingRecorded(bridge.pool, shop.shopId)).toBe(true);
});
