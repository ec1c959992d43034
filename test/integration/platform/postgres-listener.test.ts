import { expect, test } from 'vitest';
import { listen } from '../../../src/platform/postgres/postgres-listener.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { until } from '../../support/worlds/settled.ts';

const LISTENERS = `select pid, query from pg_stat_activity where application_name = 'orderbridge-listener' and query like 'listen%' and state = 'idle'`;

test('a listener receives notifications, also after its connection broke', async () => {
  await using postgres = await startPostgres();
  const { pool, end } = openPool(postgres.url);
  const heard: string[] = [];
  const listener = listen({
    url: postgres.url,
    channel: 'news',
    onMessage: (text) => heard.push(text),
    onListening: () => heard.push('listening'),
    onLost: ({ message }) => heard.push(message),
  });
  const pidOf = async () => (await pool.query<{ pid: number }>(LISTENERS)).rows[0]?.pid;

  const pid = await until(pidOf, { what: 'the listener' });
  await pool.query(`notify news, 'first'`);
  await until(() => heard.includes('first'), { what: 'the first message' });
  await pool.query('select pg_terminate_backend($1)', [pid]);
  await until(async () => ![undefined, pid].includes(await pidOf()), { what: 'the listener to come back' });
  await pool.query(`notify news, 'second'`);
  await until(() => heard.includes('second'), { what: 'the second message' });

  expect(heard).toEqual(['listening', 'first', 'terminating connection due to administrator command', 'listening', 'second']);
  await listener[Symbol.asyncDispose]();
  expect(await pidOf()).toBeUndefined();
  await end();
});

test('a listener that never got a connection reports that, and can be ended', async () => {
  const lost = Promise.withResolvers<Error>();
  const unheard = { onMessage: () => undefined, onListening: () => undefined };
  const listener = listen({ url: `postgres://nobody@127.0.0.1:${await freePort()}/none`, channel: 'news', ...unheard, onLost: lost.resolve });

  expect((await lost.promise).message).toContain('ECONNREFUSED');
  await listener[Symbol.asyncDispose]();
});
