import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readOne, readRows, rowsOf } from '../../src/platform/postgres/read-rows.ts';
import { Dice } from '../support/hostile/dice.ts';
import { runs, SEED } from '../support/run-size.ts';
import { startPostgres } from '../support/servers/postgres.ts';
import { startRedis } from '../support/servers/redis.ts';
import type { WooAnswer } from '../support/servers/woo/woo-answer.ts';
import { Deployment } from '../support/worlds/deployment.ts';
import { startLiveWooStore } from '../support/worlds/live-woo-store.ts';
import { until } from '../support/worlds/settled.ts';

const ORDERS = runs(16, 1_000);
/** Kills of the worker, and as many times that nothing answers at the store's address. */
const TROUBLES = runs(1, 8);
/** So many of the requests about notes are lost, and as many of their answers. */
const LOST = runs(0.05, 0.01);
const RETRY_SCALE = 0.05;
const MOST_MS = runs(120_000, 900_000);
const CHUNK = 50;

/** What becomes of the orders, in turns, and what their notes say of it. */
const ENDS = [
  { notes: ['recorded'], revision: 1 },
  { notes: ['recorded', 'replaced'], revision: 2, refund: { cents: 1200 } },
  { notes: ['recorded', 'removed'], revision: 2, refund: {} },
  { notes: ['review'], revision: 1, gateway: 'econt_pay' },
];
const endOf = (n: number) => ENDS[n % ENDS.length] ?? ENDS[0];

const countRow = rowsOf('orders', z.object({ count: z.int() }));
const revisionRows = rowsOf('orders', z.object({ id: z.string(), revision: z.int() }));
const WAITING = `select (select count(*) from orders where revision > greatest(recorded_revision, review_revision))::int
  + (select count(*) from store_notes where written_at is null)::int + (select count(*) from jobs where kind = 'notes')::int as count`;

const BAD_GATEWAY: WooAnswer = { status: 502, body: '<h1>Bad Gateway</h1>' };

test(`of ${ORDERS} orders each change is one note and no revision, whatever is killed, lost or down (seed ${SEED})`, { timeout: 4 * MOST_MS }, async () => {
  await using postgres = await startPostgres('bridge');
  await using redis = await startRedis({ appendFsync: 'always' });
  const where = { databaseUrl: postgres.url, redisUrl: redis.url };
  await using it = await Deployment.start({ ...where, more: { config: { retryScale: RETRY_SCALE }, env: { RETRY_SCALE: String(RETRY_SCALE) } } });
  const { receiver } = it;
  await using shop = await startLiveWooStore({ bridge: receiver }, { settings: { notes: true } });
  const { store, floor, webhooks } = shop;
  await it.worker();
  const dice = new Dice(SEED);
  const met = { lost: 0, unanswered: 0, kills: 0 };
  store.host.intercept = async ({ method, path, handled }) => {
    if (!path.includes('/notes')) return undefined;
    const thrown = dice.next();
    if (method === 'POST' && (thrown < LOST || met.unanswered === 0)) {
      met.unanswered += 1;
      await handled();
    } else if (thrown < 2 * LOST || met.lost === 0) met.lost += 1;
    else return undefined;
    return BAD_GATEWAY;
  };
  const troubles = async () => {
    for (let n = 0; n < TROUBLES; n += 1) {
      await until(() => noted() > ((n + dice.next()) / TROUBLES) * ORDERS, { what: 'more notes', timeoutMs: MOST_MS, everyMs: 1 });
      await it.killWorker();
      met.kills += 1;
      await store.leave();
      const started = it.worker();
      await sleep(dice.below(4_000));
      await store.comeBack();
      await started;
    }
  };
  const noted = () => store.asked.filter(({ method, path }) => method === 'POST' && path.includes('/notes')).length;
  const settled = () =>
    until(async () => (await readOne(receiver.pool, countRow, { text: WAITING })).count === 0, { what: 'nothing to wait', timeoutMs: MOST_MS, everyMs: 100 });
  const revisions = async () => {
    const rows = await readRows(receiver.pool, revisionRows, {
      text: `select order_id as id, revision from orders where platform = 'woocommerce' order by id`,
    });
    return new Map(rows.map(({ id, revision }) => [Number(id), revision]));
  };
  const each = async (does: (n: number) => void) => {
    for (let n = 0; n < ORDERS; n += 1) {
      does(n);
      if (n % CHUNK === CHUNK - 1 || n === ORDERS - 1) await webhooks.runQueue();
    }
  };

  const ids: number[] = [];
  const trouble = troubles();
  await each((n) => ids.push(floor.buy({ gateway: endOf(n)?.gateway ?? 'stripe' }).id));
  await until(async () => (await revisions()).size === ORDERS, { what: 'all orders to be known', timeoutMs: MOST_MS });
  await Promise.all([trouble, settled()]);
  await settled();
  await each((n) => {
    const { refund } = endOf(n) ?? {};
    if (refund !== undefined) floor.refund(ids[n] ?? 0, refund);
  });
  await until(async () => [...(await revisions()).values()].filter((one) => one === 2).length === ORDERS / 2, { what: 'refunds', timeoutMs: MOST_MS });
  await settled();

  const before = await revisions();
  // As if all that we wrote had had webhooks.
  await each((n) => floor.save(ids[n] ?? 0, { meta_data: [{ key: '_orderbridge_state', value: 'recorded' }] } as object));
  const last = await shop.sell();
  await until(async () => (await revisions()).has(Number(last)), { what: 'the last order', timeoutMs: MOST_MS });
  await settled();

  const states = ids.map((id) => store.notes.of(id).map(({ note }) => /\(orderbridge: (\w+) /.exec(note)?.[1]));
  expect(states).toEqual(ids.map((_, n) => endOf(n)?.notes));
  const changes = ids.flatMap((id) => store.notes.of(id).map(({ note }) => /(\S+)\)$/.exec(note)?.[1]));
  expect(new Set(changes).size).toBe(changes.length);
  const after = await revisions();
  after.delete(Number(last));
  expect([...after]).toEqual([...before]);
  expect(ids.map((id) => before.get(id))).toEqual(ids.map((_, n) => endOf(n)?.revision));
  expect(met.kills).toBe(TROUBLES);
});
