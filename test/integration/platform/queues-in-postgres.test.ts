import { expect, test } from 'vitest';
import { QueueSystem } from '../../../src/platform/queue/queue-system.ts';
import { queueInPostgres } from '../../../src/platform/queue/queues-in-postgres.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres } from '../../support/servers/postgres.ts';

test('a look at a queue in PostgreSQL says what BullMQ says, and which job waits for longest', async () => {
  await using postgres = await startPostgres();
  await using resources = new AsyncDisposableStack();
  const opened = openPool(postgres.url);
  resources.defer(() => opened.end());
  const look = queueInPostgres(opened.pool, 'work');
  const read = async () => [await look.isPaused(), await look.getJobCounts(), await look.getJobs()];
  expect(await read()).toEqual([false, { waiting: 0 }, []]);
  await using system = new QueueSystem({ backend: { kind: 'postgres', url: postgres.url }, stalledMs: 2_000, onError: () => undefined });
  const queue = system.queue<object>('work');
  const other = system.queue<object>('other');
  const oldest = await queue.add('first', {}, { timestamp: 1_000 });
  await queue.add('second', {}, { timestamp: 2_000 });
  await queue.add('urgent', {}, { timestamp: 500, priority: 1 });
  await queue.add('later', {}, { timestamp: 400, delay: 60_000 });
  await other.add('of another', {}, { timestamp: 300 });

  expect(await read()).toEqual([await queue.isPaused(), await queue.getJobCounts('waiting'), [{ timestamp: oldest.timestamp }]]);
  await queue.pause();
  expect(await read()).toEqual([await queue.isPaused(), { waiting: 2 }, [{ timestamp: oldest.timestamp }]]);
  await queue.resume();
  expect(await look.isPaused()).toBe(false);
});
