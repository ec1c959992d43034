import { expect, test } from 'vitest';
import { QueueSystem } from '../../../src/platform/queue/queue-system.ts';
import { queueInPostgres, queuesAreMade } from '../../../src/platform/queue/queues-in-postgres.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres } from '../../support/servers/postgres.ts';

test('a look at a queue in PostgreSQL without BullMQ says what BullMQ says, and which job waits for longest', async () => {
  await using postgres = await startPostgres();
  await using resources = new AsyncDisposableStack();
  const opened = openPool(postgres.url);
  resources.defer(() => opened.end());
  const { pool } = opened;
  expect(await queuesAreMade(pool)).toBe(false);
  await using system = new QueueSystem({ backend: { kind: 'postgres', url: postgres.url }, stalledMs: 2_000, onError: () => undefined });
  const queue = system.queue<object>('work');
  const other = system.queue<object>('other');
  const look = queueInPostgres(pool, 'work');
  const both = async () => [await queue.isPaused(), await queue.getJobCounts('waiting')];
  const read = async () => [await look.isPaused(), await look.getJobCounts()];

  expect(await both()).toEqual([false, { waiting: 0 }]);
  expect(await queuesAreMade(pool)).toBe(true);
  expect(await read()).toEqual(await both());
  expect(await look.getJobs()).toEqual([]);

  const oldest = await queue.add('first', {}, { timestamp: 1_000 });
  await queue.add('second', {}, { timestamp: 2_000 });
  await queue.add('urgent', {}, { timestamp: 500, priority: 1 });
  await queue.add('later', {}, { timestamp: 400, delay: 60_000 });
  await other.add('of another', {}, { timestamp: 300 });
  expect(await both()).toEqual([false, { waiting: 2 }]);
  expect(await read()).toEqual(await both());
  expect(await look.getJobs()).toEqual([{ timestamp: oldest.timestamp }]);

  await queue.pause();
  expect(await both()).toEqual([true, { waiting: 0 }]);
  expect(await read()).toEqual(await both());
});
