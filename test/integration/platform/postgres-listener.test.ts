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
  const received: string[] = [];
  const lost: string[] = [];
  const listener = listen({ url: postgres.url, channel: 'news', onMessage: (text) => received.push(text), onLost: ({ message }) => lost.push(message) });
  const pidOf = async () => (await pool.query<{ pid: number }>(LISTENERS)).rows[0]?.pid;

  const pid = await until(pidOf, { what: 'the listener' });
  await pool.query(`notify news, 'first'`);
  await until(() => received.includes('first'), { what: 'the first message' });
  await pool.query('select pg_terminate_backend($1)', [pid]);
  await until(async () => ![undefined, pid].includes(await pidOf()), { what: 'the listener to come back' });
  await pool.query(`notify news, 'second'`);
  await until(() => received.includes('second'), { what: 'the second message' });

  expect(received).toEqual(['first', 'second']);
  expect(lost).toEqual(['terminating connection due to administrator command']);
  await listener[Symbol.asyncDispose]();
  expect(await pidOf()).toBeUndefined();
  await end();
});

test('a listener that never got a connection reports that, and can be ended', async () => {
  const lost = Promise.withResolvers<Error>();
  const listener = listen({ url: `postgres://nobody@127.0.0.1:${await freePort()}/none`, channel: 'news', onMessage: () => undefined, onLost: lost.resolve });

  expect((await lost.promise).message).toContain('ECONNREFUSED');
  await listener[Symbol.asyncDispose]();
});
