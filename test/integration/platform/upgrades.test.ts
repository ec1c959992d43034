import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrateLedger } from '../../../src/bridge/ledger/migrate-ledger.ts';
import { migrateService } from '../../../src/service/database/migrate-service.ts';
import { catalogueOf } from '../../support/servers/catalogue.ts';
import { makeOldSchema, type OldSchema, versionsOf } from '../../support/servers/old-database.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { until } from '../../support/worlds/settled.ts';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const upgrades = { bridge: migrateLedger, compliance: migrateService };
const everyVersion = (['bridge', 'compliance'] as const).flatMap((schema) => versionsOf(schema).map((version) => ({ schema, version })));

type Opened = { pool: pg.Pool; url: string } & AsyncDisposable;

async function openDatabase(schema: OldSchema): Promise<Opened> {
  const url = await postgres.createDatabase();
  const { pool, end } = openPool(url, { options: `-c search_path=${schema}` });
  return { pool, url, [Symbol.asyncDispose]: end };
}

const historyOf = async (pool: pg.Pool, schema: OldSchema) => (await pool.query(`select * from ${schema}.migrations order by version`)).rows;

describe.each(everyVersion)('the schema $schema of version $version', ({ schema, version }) => {
  test('becomes what a new one is: tables, columns in their order, indexes, constraints, functions, triggers', async () => {
    await using fresh = await openDatabase(schema);
    await using old = await openDatabase(schema);
    await makeOldSchema(old.pool, schema, version);
    const before = await historyOf(old.pool, schema);

    await upgrades[schema](fresh.pool);
    await upgrades[schema](old.pool);

    expect(await catalogueOf(old.pool, schema)).toEqual(await catalogueOf(fresh.pool, schema));
    // Migrations that ran before did not run again.
    expect((await historyOf(old.pool, schema)).slice(0, version)).toEqual(before);
  });
});

test('an older function is replaced by that of this program, though no table changed', async () => {
  await using fresh = await openDatabase('compliance');
  await using old = await openDatabase('compliance');
  await makeOldSchema(old.pool, 'compliance', 7);
  await old.pool.query(
    `create or replace function compliance.internal_key(p_shop uuid, p_internal_id text) returns bytea language sql immutable return null::bytea`,
  );

  await migrateService(fresh.pool);
  await migrateService(old.pool);

  expect(await catalogueOf(old.pool, 'compliance')).toEqual(await catalogueOf(fresh.pool, 'compliance'));
});

test.each([
  { schema: 'bridge', lock: 'migrate bridge' },
  { schema: 'compliance', lock: 'migrate compliance service' },
] as const)('an upgrade of $schema and a start of the program of commit be7c6c0 take turns', async ({ schema, lock }) => {
  await using old = await openDatabase(schema);
  const before = await old.pool.connect();
  await before.query('begin');
  await before.query('select pg_advisory_xact_lock(hashtext($1))', [lock]);

  const upgrade = upgrades[schema](old.pool);
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
  await until(async () => (await old.pool.query(waits)).rowCount === 1, { what: 'the upgrade to wait for its turn' });
  await makeOldSchema(before, schema, 1);
  await before.query('commit');
  before.release();
  await upgrade;

  const versions = (await historyOf(old.pool, schema)).map(({ version }) => version);
  expect(versions).toEqual(Array.from({ length: versions.length }, (_, i) => i + 1));
  expect(versions.length).toBeGreaterThanOrEqual(versionsOf(schema).length);
});

describe.each([
  { version: 2, at: 'among its tables' },
  { version: 7, at: 'among its functions' },
])('a start that is killed with -9 $at', ({ version }) => {
  test('leaves the database as it was, and the next start brings all of it up to date', async () => {
    await using fresh = await openDatabase('compliance');
    await migrateService(fresh.pool);
    await using old = await openDatabase('compliance');
    await makeOldSchema(old.pool, 'compliance', version);
    const before = await catalogueOf(old.pool, 'compliance');
    {
      // Version 3 makes references to this table, and functions know its rows.
      await using _ = await lockTable(old.pool, 'compliance.shops');
      const child = startUpgrade(old.url);
      const waits = `select from pg_stat_activity where application_name = 'upgrade' and wait_event_type = 'Lock'`;
      await until(async () => (await old.pool.query(waits)).rowCount === 1, { what: 'the upgrade to stand at the table' });
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    const others = `select from pg_stat_activity where application_name = 'upgrade'`;
    await until(async () => (await old.pool.query(others)).rowCount === 0, { what: 'PostgreSQL to notice' });

    expect(await catalogueOf(old.pool, 'compliance')).toEqual(before);
    expect(await historyOf(old.pool, 'compliance')).toHaveLength(version);
    await migrateService(old.pool);
    expect(await catalogueOf(old.pool, 'compliance')).toEqual(await catalogueOf(fresh.pool, 'compliance'));
  });
});

async function lockTable(pool: pg.Pool, table: string): Promise<AsyncDisposable> {
  const client = await pool.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  const release = async (): Promise<void> => {
    await client.query('rollback');
    client.release();
  };
  return { [Symbol.asyncDispose]: release };
}

function startUpgrade(url: string) {
  const from = (path: string) => pathToFileURL(join(import.meta.dirname, '../../../src', path)).href;
  const program = `
    import { migrateService } from '${from('service/database/migrate-service.ts')}';
    import pg from '${import.meta.resolve('pg')}';
    await migrateService(new pg.Pool({ connectionString: '${url}', application_name: 'upgrade' }));`;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'inherit', 'inherit'] });
}
