import { Queue } from 'bullmq';
import { expect, test } from 'vitest';
import { showDueOrders } from '../../src/app/due-orders-queue.ts';
import type { SubmissionJob } from '../../src/bridge/delivery/jobs.ts';
import { recordOrders } from '../../src/bridge/ledger/orders/record-store.ts';
import { reserveConnection } from '../../src/platform/postgres/postgres.ts';
import { paidOrder } from '../support/ledger/recorded-order.ts';
import { useLedger } from '../support/ledger/use-ledger.ts';
import { startRedis } from '../support/servers/redis.ts';
import { until } from '../support/worlds/settled.ts';

const it = useLedger({ max: 4 });
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%filter (where state%'`;

test('a count of what is due that takes long is shared, and used for longer', async () => {
  await using redis = await startRedis();
  const { hostname, port } = new URL(redis.url);
  const queue = new Queue<SubmissionJob>('submissions', { connection: { host: hostname, port: Number(port) } });
  const counted = async () => (await showing.getJobCounts('waiting'))['waiting'];
  const showing = showDueOrders(queue, it.pool);
  await recordOrders(it.pool, [paidOrder(it.store, '1')]);
  using holder = await reserveConnection(it.pool);
  await holder.client.query('begin; lock table orders in access exclusive mode');

  const both = [counted(), counted()];
  await until(async () => (await it.pool.query(WAITING)).rowCount === 1, { what: 'one count to wait' });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await holder.client.query('commit');

  expect(await Promise.all(both)).toEqual([1, 1]);
  await recordOrders(it.pool, [paidOrder(it.store, '2')]);
  expect(await counted()).toBe(1);
  await until(async () => (await counted()) === 2, { what: 'the count to be made again' });
  await queue.close();
});
