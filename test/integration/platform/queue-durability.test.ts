import type { Worker } from 'bullmq';
import { expect, test } from 'vitest';
import { QueueSystem } from '../../../src/platform/queue/queue-system.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { until } from '../../support/worlds/settled.ts';

const NOTE = `
create table public.writes (name text, op text, waits text);
create function public.note_write() returns trigger language plpgsql as $$
begin
  insert into public.writes values (coalesce(new.name, old.name), tg_op, current_setting('synchronous_commit'));
  return coalesce(new, old);
end $$;
create trigger note_write after insert or update or delete on bullmq.job for each row execute function public.note_write()`;

test('what a webhook is answered by waits for the disk; what a worker writes, and what may be lost, does not', async () => {
  await using server = await startPostgres();
  const url = await server.createDatabase();
  const sql = openPool(url);
  try {
    await sql.pool.query(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = on`);
    await using system = new QueueSystem({ backend: { kind: 'postgres', url }, stalledMs: 2_000, onError: () => undefined });
    const kept = system.queue<object>('kept');
    await kept.waitUntilReady();
    await sql.pool.query(NOTE);
    let done = 0;
    const worker = system.worker<object>(
      'kept',
      async () => {
        done += 1;
      },
      { concurrency: 1 },
    );

    await kept.add('kept', {});
    await system.queue<object>('lost', { mayLose: true }).add('lost', {});
    await until(() => done === 1, { what: 'the job to be done' });
    await system.finish(worker as Worker, 1_000);

    const { rows } = await sql.pool.query<{ name: string; op: string; waits: string }>('select distinct name, op, waits from public.writes order by name, op');
    expect(rows).toEqual([
      { name: 'kept', op: 'DELETE', waits: 'off' },
      { name: 'kept', op: 'INSERT', waits: 'on' },
      { name: 'kept', op: 'UPDATE', waits: 'off' },
      { name: 'lost', op: 'INSERT', waits: 'off' },
    ]);
  } finally {
    await sql.end();
  }
});

test('queues that are asked one after the other share their connections, and close them', async () => {
  await using server = await startPostgres();
  const url = await server.createDatabase();
  const sql = openPool(url);
  const open = async () => {
    const { rows } = await sql.pool.query<{ n: number }>("select count(*)::int as n from pg_stat_activity where application_name = 'orderbridge-queue'");
    return rows[0]?.n;
  };
  try {
    {
      await using system = new QueueSystem({ backend: { kind: 'postgres', url }, stalledMs: 2_000, onError: () => undefined });
      for (const [name, mayLose] of [
        ['kept', false],
        ['first', true],
        ['second', true],
        ['third', true],
      ] as const) {
        await system.queue<object>(name, { mayLose }).getJobCounts('waiting');
      }

      expect(await open()).toBe(2);
    }
    await until(async () => (await open()) === 0, { what: 'the connections to be closed' });
  } finally {
    await sql.end();
  }
});
