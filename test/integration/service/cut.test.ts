import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutOf } from '../../../src/service/audit/file/snapshot.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { startAuditWorld } from '../../support/worlds/audit-world.ts';
import { OCTOBER } from '../../support/worlds/october.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

test('a connection that breaks between two pages of a month ends neither the process nor the pool', async () => {
  await using w = await startAuditWorld(postgres.url, OCTOBER);
  const { pool } = w.server;
  const cut = await cutOf(pool, w.shopId);
  const { rows } = await cut.client.query<{ pid: number }>('select pg_backend_pid() as pid');

  // Nobody asks anything of it at that moment: it says so by an event alone, which ends the process if nobody listens.
  const ended = new Promise((resolve) => cut.client.once('end', () => resolve(true)));
  await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended;
  await cut[Symbol.asyncDispose]();

  await using another = await cutOf(pool, w.shopId);
  expect((await another.client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
