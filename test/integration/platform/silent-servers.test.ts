import { expect, test } from 'vitest';
import { allowLongStatements, createPool, inTransaction } from '../../../src/platform/postgres/postgres.ts';
import { QueueSystem } from '../../../src/platform/queue/queue-system.ts';
import { IS_LONG } from '../../support/run-size.ts';
import { freezingProxy } from '../../support/servers/freezing-proxy.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { until } from '../../support/worlds/settled.ts';

const silenceMs = 1_000;
const SLOW = 'select pg_sleep(1.5)';

test('a statement fails whose PostgreSQL is gone without a word, and the next one takes another connection', async () => {
  await using postgres = await startPostgres();
  await using proxy = await freezingProxy(postgres.url);
  const errors: string[] = [];
  const pool = createPool({ url: proxy.url, schema: 'public', max: 1, silenceMs, onError: ({ message }) => errors.push(message) });
  await pool.query('select 1');

  proxy.freeze({ isReplaced: true });

  const failure = await inTransaction(pool, (tx) => tx.query('select 1')).catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({ message: 'PostgreSQL has not answered for 1 s' });
  expect(await pool.query('select 1')).toMatchObject({ rowCount: 1 });
  expect(errors).toEqual([]);
  await pool.end();
});

test('a statement that may take long is waited for, and the next one on its connection is not', async () => {
  await using postgres = await startPostgres();
  const pool = createPool({ url: postgres.url, schema: 'public', max: 1, silenceMs, onError: () => undefined });

  await inTransaction(pool, async (tx) => {
    await allowLongStatements(tx, '10min');
    await tx.query(SLOW);
  });

  await expect(pool.query(SLOW)).rejects.toThrow('PostgreSQL has not answered for 1 s');
  await pool.end();
});

// On PostgreSQL a worker asks again only after a while.
test.each(IS_LONG ? (['redis', 'postgres'] as const) : (['redis'] as const))('a queue on %s that is gone without a word is connected to anew', async (kind) => {
  await using server = await (kind === 'redis' ? startRedis() : startPostgres());
  await using proxy = await freezingProxy(server.url);
  const options = { stalledMs: 5_000, silenceMs, onError: () => undefined };
  await using direct = new QueueSystem({ ...options, backend: { kind, url: server.url } });
  await using gone = new QueueSystem({ ...options, backend: { kind, url: proxy.url } });
  const done: string[] = [];
  gone.worker<object>('work', async ({ name }) => void done.push(name), { concurrency: 1 });
  const queue = direct.queue<object>('work');
  await queue.add('before', {});
  await until(() => done.includes('before'), { what: 'the job to be done' });
  const through = gone.queue<object>('work');
  await through.add('through', {});

  proxy.freeze({ isReplaced: true });

  await queue.add('after', {});
  await until(() => done.includes('after'), { what: 'the job to be done by a new connection' });
  await through.add('last', {}).catch(() => through.add('last', {}));
  await until(() => done.includes('last'), { what: 'the last job to be done' });
});
