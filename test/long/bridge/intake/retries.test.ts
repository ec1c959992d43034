import { expect, test } from 'vitest';
import { DELIVERIES, type DeliveriesJob } from '../../../../src/bridge/delivery/jobs.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { type QueueBackend, QueueSystem } from '../../../../src/platform/queue/queue-system.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useWorlds, type World } from '../../../support/worlds/world.ts';

const world = useWorlds();

/** As a fault of the ledger does it: order 2 can't be recorded. */
const REFUSE = `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused' using errcode = '23514'; end $$;
  create trigger refuse before insert on orders for each row when (new.order_id = '2') execute function refuse()`;

type Line = { event?: string; queue?: string; attempt?: number; err?: { message?: string } };

async function withLog(backend: string) {
  const lines: Line[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const it = await world({ onRedis: backend === 'redis', log: createLog({ level: 'error', name: 'test', destination }) });
  return { it, lines };
}

function queueOf({ redis, databaseUrl }: World, name: string) {
  const backend: QueueBackend = name === 'redis' ? { kind: 'redis', url: redis.url } : { kind: 'postgres', url: databaseUrl };
  const system = new QueueSystem({ backend, stalledMs: 2_000, onError: () => undefined });
  return { queue: system.queue<DeliveriesJob>(DELIVERIES), [Symbol.asyncDispose]: () => system[Symbol.asyncDispose]() };
}

test.each(['redis', 'postgres'])('finding 7: a job that fails is retried soon, and its true reason is logged: %s', async (backend) => {
  const { it, lines } = await withLog(backend);
  await using _ = it;
  await using opened = queueOf(it, backend);
  const connected = await it.bridge.connect();
  await it.bridge.pool.query(REFUSE);

  for (const id of ['1', '2', '3']) expect(await it.bridge.send(connected, 'order.paid', { order: orderOf(id) })).toBe(200);

  const failed = await until(async () => (await opened.queue.getDelayed())[0], { what: 'the job to wait for its retry' });
  expect(failed).toMatchObject({ failedReason: 'refused' });
  expect(failed?.attemptsMade).toBeGreaterThanOrEqual(1);
  expect(failed?.data.deliveries).toHaveLength(1);
  await until(() => lines.some(({ event }) => event === 'job.failed'), { what: 'the log' });
  expect(lines.find(({ event }) => event === 'job.failed')).toMatchObject({ queue: 'deliveries', attempt: 1, err: { message: 'refused' } });
  for (const id of ['1', '3']) await it.bridge.settled(connected, id, 'recorded');

  await it.bridge.pool.query('drop trigger refuse on orders');
  // Less than the time after which a silent worker loses its job, which was the only way of a retry before.
  await it.bridge.settled(connected, '2', 'recorded');
});

test.each(['redis', 'postgres'])('finding 6: a job without any data waits for a release that can read it, and is counted: %s', async (backend) => {
  const { it, lines } = await withLog(backend);
  await using _ = it;
  await using opened = queueOf(it, backend);
  const connected = await it.bridge.connect();

  await opened.queue.add('made-up', JSON.parse('{}'));

  await until(async () => (await opened.queue.getJobCounts('delayed'))['delayed'] === 1, { what: 'the job to wait' });
  const [waiting] = await opened.queue.getDelayed();
  expect(waiting?.failedReason).toContain('a deliveries job of an unknown version or shape');
  expect((waiting?.delay ?? 0) + (waiting?.processedOn ?? 0) - Date.now()).toBeGreaterThan(30_000);
  // The worker reports the failure after the queue has put the job aside.
  await until(async () => lines.some(({ event }) => event === 'job.failed'), { what: 'the failure to be logged' });
  expect(lines.filter(({ event }) => event === 'job.failed')).toHaveLength(1);
  expect(await (await fetch(`${it.bridge.app.url}/metrics`)).text()).toContain('orderbridge_jobs_unreadable_total{queue="deliveries"} 1');
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.settled(connected, '1', 'recorded');
});
