import { beforeAll, expect, test } from 'vitest';
import { findOrders, type OrdersWanted, seeInReview, sumFound } from '../../../../src/bridge/ledger/orders/find-orders.ts';
import { assignedOrders, assignmentsOfIssues } from '../../../../src/bridge/ledger/review/assignment-store.ts';
import { issueCounts } from '../../../../src/bridge/ledger/review/review-groups.ts';
import type { Pool } from '../../../../src/platform/postgres/postgres.ts';
import { rowsRead } from '../../../support/ledger/rows-read.ts';
import { useLedger } from '../../../support/ledger/use-ledger.ts';

const ledger = useLedger({ max: 2 });

const STORES = 300;
const ORDERS = 6_000;
/** Of each store one. */
const IN_REVIEW = STORES;
const CODE = 'payment.unmapped';
const ALL: OrdersWanted = { connections: null, state: null, code: null, sold: null, total: null, ids: null };
const MONTH = { from: '2026-10-01T00:00:00.000Z', until: '2026-11-01T00:00:00.000Z' };

beforeAll(async () => {
  const { pool } = ledger;
  const run = (text: string, values: unknown[] = []) => pool.query(text, values);
  await run(`with d as (insert into destinations (key_digest, credentials) values ('many', 'c') returning id)
    insert into connections (id, platform, name, store, shop_id, destination_id, secrets, settings, record_from)
    select 'c_' || n, 'standard', 'store ' || n, 's', gen_random_uuid(), d.id, 's', '{}', now() from d cross join generate_series(1, ${STORES}) n`);
  await run(
    `insert into orders (shop_id, platform, store, order_id, connection_id, sold_at, total, currency, state, review_code, review_detail)
     select gen_random_uuid(), 'standard', 's', n::text, 'c_' || 1 + n % ${STORES}, to_char(timestamp '2026-10-11 04:00' + n * interval '5 minutes', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 10, 'EUR',
       case when n > ${ORDERS - IN_REVIEW} then 'review' else 'recorded' end, case when n > ${ORDERS - IN_REVIEW} then $1 end, ''
     from generate_series(1, ${ORDERS}) n`,
    [CODE],
  );
  await run(
    `insert into people (id, email, name, role, lang) select gen_random_uuid(), 'sealed', 'Person ' || n, 'operator', 'en' from generate_series(1, ${10 * STORES}) n`,
  );
  await run(
    `insert into assignments (connection_id, code, pattern, order_ref, person, note) select 'c_1', $1, '', null, id, '' from people where name = 'Person 7'`,
    [CODE],
  );
  await run('vacuum analyze');
});

/** A page, its sums, and what would be decided of it. */
async function list(db: Pool, wanted: OrdersWanted): Promise<void> {
  expect((await findOrders(db, wanted, { after: null, limit: 51 })).length).toBeGreaterThan(0);
  await sumFound(db, wanted, 10_001);
  await seeInReview(db, wanted, 10_001);
}

test('orders in review, or of a reason for it, are found without a look at the others, however many stores there are', async () => {
  for (const wanted of [
    { ...ALL, code: CODE },
    { ...ALL, code: CODE, sold: MONTH },
    { ...ALL, state: 'review' as const },
    { ...ALL, state: 'asked' as const, connections: ['c_1'] },
  ]) {
    const read = await rowsRead(ledger.pool, 'bridge', (db) => list(db, wanted));
    expect(read('orders')).toMatchObject({ looks: 0, rows: 0 });
    expect(read('review_orders').looks).toBeGreaterThan(0);
    expect(read('review_orders').rows).toBeLessThan(5 * IN_REVIEW);
  }
});

test.each([
  ['a month', { ...ALL, sold: MONTH }],
  ['all, the oldest first', { ...ALL, sold: { from: null, until: null }, isOldestFirst: true }],
])('a page of %s, its counts and its sums look at each store five times at most', async (_, wanted) => {
  const read = await rowsRead(ledger.pool, 'bridge', (db) => list(db, wanted));
  expect(read('orders').looks).toBeGreaterThan(0);
  expect(read('orders').looks).toBeLessThanOrEqual(5 * STORES);
});

test('of people only those are read to whom something is assigned', async () => {
  const read = await rowsRead(ledger.pool, 'bridge', async (db) => {
    await issueCounts(db, null);
    expect(await assignmentsOfIssues(db)).toMatchObject([{ name: 'Person 7' }]);
    expect(await assignedOrders(db, { ids: null, most: 10 })).toMatchObject([{ name: 'Person 7', isOwn: false }]);
  });
  expect(read('people').rows).toBe(2);
  expect(read('orders')).toMatchObject({ looks: 0, rows: 0 });
});
