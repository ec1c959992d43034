import { expect, test } from 'vitest';
import { insertBulkAction } from '../../../src/bridge/ledger/review/bulk-action-store.ts';
import { BULK_PAGE, takeBulkAction, workOnBulkAction } from '../../../src/operations/bulk-actions.ts';
import { sendManyToReview } from '../../support/console/review-world.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { longTest } from '../../support/long-test.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const MANY = 1_500;

/** So many copies of an order in review, as the program wrote it. */
async function copyInReview({ bridge: { pool } }: World, count: number): Promise<number[]> {
  await pool.query(
    `with copies as (
       insert into orders (shop_id, platform, store, order_id, connection_id, number, revision, recorded_revision, review_revision, state, review_code, review_detail, created_at, updated_at)
       select shop_id, platform, store, 'copy-' || n, connection_id, '#c' || n, revision, recorded_revision, review_revision, state, review_code, review_detail, created_at, updated_at
       from orders cross join generate_series(1, $1) n where order_id = '1' returning id)
     insert into order_facts select copies.id, f.facts from copies, orders o join order_facts f on f.order_ref = o.id where o.order_id = '1'`,
    [count],
  );
  const { rows } = (await pool.query(`select id::int as id from orders where state = 'review' order by id`)) as unknown as { rows: { id: number }[] };
  return rows.map(({ id }) => id);
}

/** Nobody writes an order until the returned function is called. */
async function holdWrites({ bridge: { pool } }: World): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query('lock table orders in share mode');
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

const seenIn = (page: string) => /name="seen" value="([^"]+)"/.exec(page)?.[1] ?? '';

longTest('thousands are resolved behind an answer that comes at once, and the page of it says how far that came', async () => {
  await using it = await world();
  await sendManyToReview(it, await it.bridge.connect(), { count: 1 });
  await copyInReview(it, MANY - 1);
  const owner = await signIn(it.bridge);
  const list = await owner.get('/console/orders?state=review');
  const release = await holdWrites(it);

  const answer = await owner.post('/console/orders', {
    seen: seenIn(list.text),
    state: 'review',
    all: '1',
    act: 'resolve',
    how: 'elsewhere',
    note: 'by <b>hand</b>',
  });

  const page = async () => (await owner.get(answer.location ?? '')).text;
  expect(answer.location).toMatch(/^\/console\/bulk-actions\//);
  expect(await page()).toContain(`${MANY} still to come`);
  expect(await page()).not.toContain('Go on with them');
  await release();
  await until(async () => (await page()).includes(`${MANY} resolved by a person`), { what: 'all to be resolved', timeoutMs: 60_000 });
  expect(await page()).not.toContain('still to come');
});

longTest('a stop cuts a bulk action short, its page says so, and whoever may decide goes on with it once', async () => {
  await using it = await world();
  await sendManyToReview(it, await it.bridge.connect(), { count: 1 });
  const orders = await copyInReview(it, 2 * BULK_PAGE);
  const owner = await signIn(it.bridge);
  const { pool } = it.bridge;
  const bulkAction = await insertBulkAction(pool, {
    who: `person:${owner.person.id}`,
    act: 'order.resolved',
    about: { words: 'x', what: 'elsewhere', why: 'gone' },
    orders,
  });
  let pages = 0;
  const stopping = { isStopping: () => pages++ > 0 };

  const { done } = await workOnBulkAction(
    { pool, notify: () => undefined, now: () => new Date(), ...stopping },
    await takeBulkAction(pool, bulkAction),
    `person:${owner.person.id}`,
  );

  const path = `/console/bulk-actions/${bulkAction}`;
  const cut = (await owner.get(path)).text;
  expect(done).toBe(BULK_PAGE);
  expect(cut).toContain(`${orders.length - done} were not decided`);
  const viewer = await signIn(it.bridge, { role: 'viewer' });
  expect((await viewer.get(path)).text).not.toContain('Go on with them');
  expect((await viewer.post(path, { seen: seenIn(cut) })).status).toBe(403);
  expect((await owner.post(path, { seen: seenIn(cut) }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await owner.post(path, { seen: 'another' })).status).toBe(409);
  expect((await owner.post('/console/bulk-actions/none', { seen: seenIn(cut) })).status).toBe(404);
  await pool.query(`update bulk_actions set lease_until = now() + interval '1 minute'`);
  expect((await owner.post(path, { seen: seenIn(cut) })).status).toBe(409);
  await pool.query('update bulk_actions set lease_until = null');

  expect(await owner.post(path, { seen: seenIn(cut) })).toMatchObject({ status: 303, location: path });

  await until(async () => (await owner.get(path)).text.includes(`${orders.length} resolved by a person`), {
    what: 'the others to be resolved',
    timeoutMs: 60_000,
  });
});

test('orders that can not be decided with others are said to be as before', async () => {
  await using it = await world();
  await sendManyToReview(it, await it.bridge.connect(), { count: 1 });
  const orders = await copyInReview(it, 1);
  await it.bridge.pool.query(`update orders set review_code = 'order.other' where order_id = 'copy-1'`);
  const owner = await signIn(it.bridge);
  const bulkAction = await insertBulkAction(it.bridge.pool, {
    who: 'orderbridge',
    act: 'order.resolved',
    about: { words: 'x', what: 'elsewhere', why: 'gone' },
    orders,
  });

  const path = `/console/bulk-actions/${bulkAction}`;
  await owner.post(path, { seen: seenIn((await owner.get(path)).text) });

  const { text } = await owner.get(path);
  expect(text).toContain('1 is as before: it is decided by itself');
  expect(text).not.toContain('Go on with them');
});
