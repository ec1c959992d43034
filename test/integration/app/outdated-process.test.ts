import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runningProcesses } from '../../../src/platform/postgres/processes.ts';
import { readOne, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { OLD, openKeyProcess } from '../../support/keys/key-process.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { until } from '../../support/worlds/settled.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const newVersion = (schema: string, runsBeside: number) => `insert into ${schema}.migrations (version, name, runs_beside) values (2, 'next', ${runsBeside})`;
const versions = rowsOf('migrations', z.object({ bridge: z.int(), jobs: z.int(), compliance: z.int() }));

test('a process says for which versions of all schemas it was made', async () => {
  await using process = await openKeyProcess(await postgres.createDatabase('whole'), OLD, 'worker');

  const text = `select (select max(version) from bridge.migrations) as bridge, (select max(version) from jobs.migrations) as jobs,
    (select max(version) from compliance.migrations) as compliance`;
  expect(await runningProcesses(process.pool)).toMatchObject([{ role: 'worker', versions: await readOne(process.pool, versions, { text }) }]);
});

test.each(['bridge', 'jobs', 'compliance'])('a process that runs goes on where %s was only added to, and learns when it is too old for it', async (schema) => {
  await using process = await openKeyProcess(await postgres.createDatabase('whole'), OLD, 'worker');

  await process.pool.query(newVersion(schema, 1));
  await process.keys.refresh();
  expect(process.outgrown).toEqual([]);
  await process.pool.query(`update ${schema}.migrations set runs_beside = 2 where version = 2`);
  await until(() => process.outgrown.includes(schema), { what: 'it to see that' });
});

test('our own service’s schema need not be there', async () => {
  await using process = await openKeyProcess(await postgres.createDatabase('bridge'), OLD, 'worker');

  await process.keys.refresh();
  expect(process.outgrown).toEqual([]);
});

test('one that starts while an upgrade is under way waits for its end, and does not run beside what it is too old for', async () => {
  const url = await postgres.createDatabase('whole');
  const { pool, end } = openPool(url);
  await using _ = { [Symbol.asyncDispose]: end };
  const upgrade = await pool.connect();
  await upgrade.query(`begin; select pg_advisory_xact_lock(hashtext('migrate orderbridge')); ${newVersion('bridge', 2)}`);

  const starting = openKeyProcess(url, OLD, 'worker');
  const waits = `select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
  await until(async () => (await pool.query(waits)).rowCount === 1, { what: 'the start to wait' });
  expect((await pool.query('select from jobs.processes')).rowCount).toBe(1);
  await upgrade.query('commit');
  upgrade.release();

  await using process = await starting;
  expect(process.outgrown).toContain('bridge');
});
