import type { Worker } from 'bullmq';
import { expect, test } from 'vitest';
import { QueueSystem } from '../../../src/platform/queue/queue-system.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { until } from '../../support/worlds/settled.ts';

test('a PostgreSQL that refuses a queue keeps nothing else from being done, and once it is there the queue works', { timeout: 60_000 }, async () => {
  await using server = await startPostgres();
  const name = 'not_there_yet';
  const url = new URL(await server.createDatabase());
  const sql = openPool(url.href);
  url.pathname = name;
  try {
    const errors: Error[] = [];
    await using system = new QueueSystem({ backend: { kind: 'postgres', url: url.href }, stalledMs: 2_000, onError: (error) => errors.push(error) });
    const done: string[] = [];
    const worker = system.worker<object>('work', async (job) => void done.push(job.name), { concurrency: 1 });
    const queue = system.queue<object>('work');
    const began = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 2_500));

    expect(performance.now() - began).toBeLessThan(5_000);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThan(30);

    await sql.pool.query(`create database ${name}`);
    await until(async () => (await queue.add('late', {}).catch(() => null)) !== null, { what: 'a job to be added', timeoutMs: 20_000 });
    await until(() => done.length > 0, { what: 'the job to be done', timeoutMs: 20_000 });
    expect(done[0]).toBe('late');
    await system.finish(worker as Worker, 1_000);
  } finally {
    await sql.pool.query(`drop database if exists ${name} with (force)`);
    await sql.end();
  }
});
