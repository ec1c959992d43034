import { expect, test } from 'vitest';
import { runKinds } from '../../../src/app/run-kinds.ts';
import { beginBulkAction } from '../../../src/bridge/ledger/review/bulk-action-store.ts';
import { BULK_PAGE, bulkActionRun, bulkActions } from '../../../src/operations/bulk-actions.ts';
import { decideMany } from '../../../src/operations/orders/decide-many.ts';
import { claimJob, settleJobs } from '../../../src/platform/jobs/job-store.ts';
import { actsIn } from '../../support/console/acts-in.ts';
import { formOf } from '../../support/console/form-of.ts';
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
  await release();
  await until(async () => (await page()).includes(`${MANY} resolved by a person`), { what: 'all to be resolved' });
  expect(await page()).not.toContain('still to come');
});

test('a bulk action that a stop cuts short is gone on with by another process', async () => {
  await using it = await world();
  await sendManyToReview(it, await it.bridge.connect(), { count: 1 });
  const orders = await copyInReview(it, 2 * BULK_PAGE);
  const owner = await signIn(it.bridge);
  const { pool } = it.bridge;
  const about = { words: 'x', what: 'elsewhere', why: 'gone' };
  const bulkAction = await beginBulkAction(pool, { who: `person:${owner.person.id}`, act: 'order.resolved', about, orders });
  const stop = new AbortController();
  // It stops while the first page is decided.
  const now = () => {
    stop.abort();
    return new Date();
  };

  const job = await claimJob(pool, { kind: 'bulk-action', key: bulkAction, leaseMs: 60_000 });
  if (job === null) throw new Error('another process has it');
  const ends = await bulkActionRun({ pool, notify: () => undefined, now })([job], stop.signal);

  const page = async () => (await owner.get(`/console/bulk-actions/${bulkAction}`)).text;
  expect(ends).toEqual([{ is: 'waits', ms: 0 }]);
  expect(await page()).toContain(`${orders.length - BULK_PAGE} still to come`);
  await settleJobs(pool, { done: [], left: [{ job, waitMs: 0, attempts: 0, error: null }] });
  await until(async () => (await page()).includes(`${orders.length} resolved by a person`), { what: 'the others to be resolved' });
  expect(await page()).not.toContain('still to come');
});

test('a bulk action that runs is stopped by a press on its page, and the orders that were left stay in review', async () => {
  await using it = await world();
  await sendManyToReview(it, await it.bridge.connect(), { count: 1 });
  const orders = await copyInReview(it, 2 * BULK_PAGE);
  const { pool } = it.bridge;
  const [operator, viewer] = [await signIn(it.bridge, { role: 'operator' }), await signIn(it.bridge, { role: 'viewer' })];
  const about = { words: 'x', what: 'elsewhere', why: 'gone' };
  const bulkAction = await beginBulkAction(pool, { who: `person:${operator.person.id}`, act: 'order.resolved', about, orders });
  const page = `/console/bulk-actions/${bulkAction}`;
  const job = await claimJob(pool, { kind: 'bulk-action', key: bulkAction, leaseMs: 60_000 });
  if (job === null) throw new Error('another process has it');
  const { text } = await operator.get(page);
  expect((await viewer.get(page)).text).not.toContain('value="drop"');
  // While the first page is being decided.
  const release = await holdWrites(it);
  const run = bulkActionRun({ pool, notify: () => undefined, now: () => new Date() })([job], new AbortController().signal);
  const pressed = await operator.post('/console/destinations/jobs', { ...formOf(text, '/console/destinations/jobs'), verb: 'drop' });

  expect(pressed.location).toBe(`${page}?done=bulkActionStopped`);
  await release();
  await run;

  const after = (await operator.get(page)).text;
  expect(after).toContain(`${orders.length - BULK_PAGE} were not decided here`);
  expect(after).not.toContain('value="drop"');
  expect(await actsIn(pool)).toContainEqual(expect.objectContaining({ act: 'job.dropped', subject: `bulk-action ${bulkAction}` }));
});

test('orders that can not be decided with others are said to be as before', async () => {
  await using it = await world();
  await sendManyToReview(it, await it.bridge.connect(), { count: 1 });
  const orders = await copyInReview(it, 1);
  await it.bridge.pool.query(`update orders set review_code = 'order.other' where order_id = 'copy-1'`);
  const owner = await signIn(it.bridge);
  await using jobs = runKinds(
    it.bridge.app.core,
    bulkActions(it.bridge.app.core, () => undefined),
    { onlyAsked: true },
  );
  const decided = await decideMany({ pool: it.bridge.pool, jobs }, { ids: orders, about: 'x', by: 'cli:ana@desk', what: 'elsewhere', why: 'gone' });

  expect(decided.done).toBe(1);
  const { text } = await owner.get(`/console/bulk-actions/${decided.bulkAction}`);
  expect(text).toContain('1 was not decided here: it needs its own decision');
  expect(text).toContain(' ana@desk');
  expect(text).not.toContain('cli:');
});
