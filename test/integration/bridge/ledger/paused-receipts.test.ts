import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { DuePage } from '../../../../src/bridge/delivery/due-orders.ts';
import { createDueLedger } from '../../../../src/bridge/ledger/orders/due-orders.ts';
import { pendingByConnection, probeCandidates } from '../../../../src/bridge/ledger/orders/pending-orders.ts';
import { pausesOfOrders } from '../../../../src/bridge/ledger/orders/read-orders.ts';
import { recordOrders } from '../../../../src/bridge/ledger/orders/record-store.ts';
import type { TaxRecord } from '../../../../src/contract/record.ts';
import type { Pool, Statement } from '../../../../src/platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { notingPool } from '../../../support/ledger/plans.ts';
import { insertStore, type LedgerStore, paidOrder } from '../../../support/ledger/recorded-order.ts';
import { useLedger } from '../../../support/ledger/use-ledger.ts';

const it = useLedger({ max: 4 });
const MANY = 5_000;
const RECORD: TaxRecord = {
  ...{ internalId: '1', internalNumber: '1', internalCreatedAt: '2026-11-20T12:00:00Z', lineItems: [], paymentType: 'CARD', paymentProcessorName: null },
  ...{ currency: 'EUR', precision: 2, transactionId: null },
};
const PAGE: DuePage = { size: 20, not: [], notOf: [], notTo: [], served: {}, roundRobin: true };

const dueOf = (pool: Pool) => createDueLedger(pool, { leaseMs: 60_000, plan: async () => null });
const claimed = async () => (await dueOf(it.pool).claim(PAGE)).orders.map(({ claim: { key } }) => key.orderId).sort();

/** Recorded orders of a store that lack their receipt, due for minutes; `destination`: where their records are, if not at the store's own. */
async function receiptsDue({ connectionId, destinationId }: LedgerStore, { count, destination = destinationId }: { count: number; destination?: string }) {
  await it.pool.query(
    `with made as (insert into orders (shop_id, platform, store, order_id, connection_id, revision, recorded_revision, state, record, compliance_id, record_destination, receipt, due_at)
       select shop_id, platform, store, 'receipt ' || n, id, 1, 1, 'recorded', $4::jsonb, 'R', $3, '{"state": "due", "complianceId": "R", "since": "2026-11-20T12:00:00Z", "seq": null}',
         now() - interval '1 hour' + n * interval '1 ms' from connections, generate_series(1, $2::int) n where id = $1 returning id)
     insert into order_facts (order_ref, facts) select made.id, f.facts from made, order_facts f join orders o on o.id = f.order_ref where o.connection_id = $1 and o.order_id = 'sample'`,
    [connectionId, count, destination, JSON.stringify(RECORD)],
  );
}

const pause = (destinationId: string, callType = 'receipts') =>
  it.pool.query(
    `insert into pauses (destination_id, call_type, code, detail, until) values ($1, $2, 'compliance.failing', '502', now() + interval '1 minute')`,
    [destinationId, callType],
  );

const plans = rowsOf(
  'the plan',
  z.object({ 'QUERY PLAN': z.array(z.object({ Plan: z.object({ 'Shared Hit Blocks': z.int(), 'Shared Read Blocks': z.int() }) })) }),
);

/** Pages of the database that a look touches. */
async function lookCosts(): Promise<number> {
  const seen = new Map<string, Statement>();
  await dueOf(notingPool(it.pool, seen)).claim({ ...PAGE, size: 0 });
  const look = [...seen.values()].find(({ name }) => name === 'due-round-robin');
  if (look === undefined) throw new Error('nothing was looked up');
  const values = [PAGE.size, ...(look.values ?? []).slice(1)];
  const [root] = (await readOne(it.pool, plans, { text: `explain (analyze, buffers, format json) ${look.text}`, values }))['QUERY PLAN'];
  return (root?.Plan['Shared Hit Blocks'] ?? 0) + (root?.Plan['Shared Read Blocks'] ?? 0);
}

async function withSample(): Promise<LedgerStore> {
  const store = await insertStore(it.pool, `c_${randomUUID().slice(0, 8)}`);
  await recordOrders(it.pool, [paidOrder(store, 'sample')]);
  await it.pool.query('update orders set recorded_revision = revision where connection_id = $1', [store.connectionId]);
  return store;
}

test('while receipts are paused a look costs the same with thousands of them waiting as with none', async () => {
  const store = await withSample();
  await recordOrders(it.pool, [paidOrder(store, 'record 1'), paidOrder(store, 'record 2')]);
  await pause(store.destinationId);
  await it.pool.query('analyze orders');
  const before = await lookCosts();

  await receiptsDue(store, { count: MANY });
  await it.pool.query('vacuum analyze orders');

  // A level more of an index, for each order that is found.
  expect(await lookCosts()).toBeLessThan(before + 50);
  expect(await claimed()).toEqual(['record 1', 'record 2']);
  // However many receipts there are, records are counted first.
  expect((await pendingByConnection(it.pool)).get(store.connectionId)).toMatchObject({ records: 2, receipts: 998 });
});

test('what became due a moment ago is not late, however long it waited for its quiet time', async () => {
  const store = await withSample();
  await recordOrders(it.pool, [paidOrder(store, 'quiet')]);
  const times = `dirty_since = now() - interval '61 minutes', due_at = now() - interval '1 minute'`;
  await it.pool.query(`update orders set ${times} where connection_id = $1 and order_id = 'quiet'`, [store.connectionId]);

  const { since, recordsDue } = (await pendingByConnection(it.pool)).get(store.connectionId) ?? {};

  const minutes = (instant: string | null | undefined) => Math.floor((Date.now() - Date.parse(instant ?? '')) / 60_000);
  expect([minutes(since), minutes(recordsDue)]).toEqual([61, 1]);
});

test('receipts of another store, whose destination is not paused, are claimed with its records', async () => {
  const [paused, open] = [await withSample(), await withSample()];
  await receiptsDue(paused, { count: 3 });
  await receiptsDue(open, { count: 2 });
  await recordOrders(it.pool, [paidOrder(open, 'record')]);
  await pause(paused.destinationId);
  await it.pool.query(`update orders set due_at = now() + interval '1 hour' where connection_id <> all($1)`, [[paused.connectionId, open.connectionId]]);

  expect(await claimed()).toEqual(['receipt 1', 'receipt 2', 'record']);
});

test('a step that is open at a destination that its store has left waits for the pause of that one, and probes it', async () => {
  const [left, store] = [await withSample(), await withSample()];
  const { orders } = await recordOrders(it.pool, [paidOrder(store, 'open')]);
  const id = orders[0]?.id ?? 0;
  await recordOrders(it.pool, [paidOrder(store, 'new')]);
  await it.pool.query('update orders set open_step = $2 where id = $1', [id, { kind: 'create', seq: 1, destinationId: left.destinationId, uncertain: true }]);
  await it.pool.query(`update orders set due_at = now() + interval '1 hour' where connection_id <> $1`, [store.connectionId]);
  await pause(left.destinationId, 'records');
  const scope = { shopId: null, callType: 'records' } as const;

  expect(await probeCandidates(it.pool, { ...scope, destinationId: left.destinationId }, 5)).toEqual([id]);
  expect(await probeCandidates(it.pool, { ...scope, destinationId: store.destinationId }, 5)).not.toContain(id);
  expect([...(await pausesOfOrders(it.pool, [id])).keys()]).toEqual([id]);
  expect(await claimed()).toEqual(['new']);
});
