import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readOne, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
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
  const { pid } = await readOne(cut.client, rowsOf('pg_stat_activity', z.object({ pid: z.int() })), { text: 'select pg_backend_pid() as pid' });

  // No query is running on it at that moment: the error is only an event, which ends the process if it has no listener.
  const ended = new Promise((resolve) => cut.client.once('end', () => resolve(true)));
  await pool.query('select pg_terminate_backend($1)', [pid]);
  await ended;
  await cut[Symbol.asyncDispose]();

  await using another = await cutOf(pool, w.shopId);
  expect(await readOne(another.client, rowsOf('none', z.object({ one: z.int() })), { text: 'select 1 as one' })).toEqual({ one: 1 });
});
