import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrateLedger } from '../../../src/bridge/ledger/migrate-ledger.ts';
import { migrateJobs } from '../../../src/platform/jobs/job-store.ts';
import { migrate, type SchemaPlan } from '../../../src/platform/postgres/migrate.ts';
import { migrateService, readFunctions } from '../../../src/service/database/service-tables.ts';
import { longTest } from '../../support/long-test.ts';
import { catalogueOf } from '../../support/servers/catalogue.ts';
import { type Fate, gateAt } from '../../support/servers/ddl-gate.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { Program } from '../../support/servers/program.ts';
import { ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';

const SOURCE = join(import.meta.dirname, '../../../src');

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const functions = await readFunctions();
const versionOne = (path: string) => ({ version: 1, name: 'as committed', runsBeside: 1, sql: readFileSync(join(SOURCE, path), 'utf8') });

/** Each schema: how this program makes it, how a made-up next program does, and a row that the next version changes. */
const schemas = [
  {
    schema: 'bridge',
    migrateToday: migrateLedger,
    row: `insert into destinations (key_digest, credentials) values ('k', 'c')`,
    rows: 'select key_digest as kept from bridge.destinations',
    next: {
      schema: 'bridge',
      migrations: [
        versionOne('bridge/ledger/version-1.sql'),
        {
          version: 2,
          name: 'regions',
          runsBeside: 2,
          sql: `create table regions (code text primary key);
            insert into regions values ('bg');
            alter table destinations add column region text references regions;
            update destinations set region = 'bg', key_digest = key_digest || '!';
            alter table destinations alter region set not null;
            create index destinations_by_region on destinations (region);
            drop index orders_number;`,
        },
      ],
      functions: [],
    },
  },
  {
    schema: 'compliance',
    migrateToday: migrateService,
    row: `insert into compliance.merchants values ('k', 1)`,
    rows: 'select id as kept from compliance.merchants',
    next: {
      schema: 'compliance',
      migrations: [
        versionOne('service/database/version-1.sql'),
        {
          version: 2,
          name: 'regions',
          runsBeside: 2,
          sql: `create table compliance.regions (code text primary key);
            insert into compliance.regions values ('bg');
            alter table compliance.merchants add column region text references compliance.regions;
            update compliance.merchants set region = 'bg', id = id || '!';
            alter table compliance.merchants alter region set not null;`,
        },
      ],
      functions: [
        ...functions.map((one) => (one.name === 'internal-key' ? { ...one, sql: one.sql.replace(`'/'`, `'//'`) } : one)),
        { name: 'next', sql: 'create or replace function compliance.next() returns int return 2' },
      ],
    },
  },
] satisfies { schema: string; migrateToday: (pool: pg.Pool) => Promise<void>; row: string; rows: string; next: SchemaPlan }[];

describe.each(schemas)('$schema, from version 1 to a made-up next one', ({ schema, migrateToday, row, rows, next }) => {
  type Opened = { pool: pg.Pool; url: string } & AsyncDisposable;

  async function openDatabase(): Promise<Opened> {
    const url = await postgres.createDatabase();
    const { pool, end } = openPool(url, { options: `-c search_path=${schema}` });
    await migrateJobs(pool);
    return { pool, url, [Symbol.asyncDispose]: end };
  }

  /** As this program leaves it. */
  async function openToday(): Promise<Opened> {
    const database = await openDatabase();
    await migrateToday(database.pool);
    await database.pool.query(row);
    return database;
  }

  const stateOf = async (pool: pg.Pool) => ({
    catalogue: await catalogueOf(pool, schema),
    rows: (await pool.query<{ kept: string }>(rows)).rows.map(({ kept }) => kept),
    versions: (await pool.query<{ version: number }>(`select version from ${schema}.migrations order by 1`)).rows.map(({ version }) => version),
  });

  /** What a database is that was version 1, and was upgraded once. */
  async function expected() {
    await using fresh = await openDatabase();
    await migrate(fresh.pool, next);
    return { catalogue: await catalogueOf(fresh.pool, schema), rows: ['k!'], versions: [1, 2] };
  }

  test('rows are carried over, and the schema is what a new one is: tables, columns in their order, indexes, constraints, functions, triggers', async () => {
    await using database = await openToday();

    await migrate(database.pool, next);

    expect(await stateOf(database.pool)).toEqual(await expected());
  });

  const killTest = schema === 'bridge' ? test : longTest;
  killTest('broken off or killed with -9 at each statement in turn it leaves all as it was, and the start after that goes through', async () => {
    await using database = await openToday();
    const before = await stateOf(database.pool);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await using _ = { [Symbol.asyncDispose]: () => client.end() };
    let brokenOff = 0;

    for (let place = 1; ; place++) {
      const fate: Fate = place % 2 === 0 ? 'fails' : 'hangs';
      const gate = await gateAt(client, place, fate);
      const isThrough = (fate === 'fails' ? await failing(database.pool) : await killed(database.url, () => gate.reached())) === 'through';
      await gate.lift();
      if (isThrough) break;
      brokenOff += 1;
      expect(await stateOf(database.pool)).toEqual(before);
    }

    expect(brokenOff).toBeGreaterThan(3);
    expect(await stateOf(database.pool)).toEqual(await expected());
  });

  async function failing(pool: pg.Pool): Promise<'through' | 'failed'> {
    try {
      await migrate(pool, next);
      return 'through';
    } catch (thrown) {
      expect(thrown).toMatchObject({ message: 'broken off by the test' });
      return 'failed';
    }
  }

  /** The upgrade in a process of its own, killed when it hangs. */
  async function killed(url: string, hangs: () => Promise<boolean>): Promise<'through' | 'killed'> {
    const child = startUpgrade(url, { ...next, schema });
    const ended = once(child, 'exit');
    await until(async () => child.exitCode !== null || (await hangs()), { what: 'the upgrade to hang, or to end' });
    if (child.exitCode !== null) {
      expect(child.exitCode).toBe(0);
      return 'through';
    }
    child.kill('SIGKILL');
    await ended;
    return 'killed';
  }

  test('two starts at once upgrade it once', async () => {
    await using database = await openToday();

    await Promise.all([migrate(database.pool, next), migrate(database.pool, next)]);

    expect(await stateOf(database.pool)).toEqual(await expected());
  });

  test('this program refuses it afterwards, and changes nothing', async () => {
    await using database = await openToday();
    await migrate(database.pool, next);

    await expect(migrateToday(database.pool)).rejects.toThrow(`this program is too old for the schema ${schema}; start the newer program`);

    expect(await stateOf(database.pool)).toEqual(await expected());
  });
});

function startUpgrade(url: string, plan: SchemaPlan) {
  const program = `
    import { migrate } from '${pathToFileURL(join(SOURCE, 'platform/postgres/migrate.ts')).href}';
    import pg from '${import.meta.resolve('pg')}';
    const pool = new pg.Pool({ connectionString: '${url}', options: '-c search_path=${plan.schema}' });
    await migrate(pool, ${JSON.stringify(plan)});
    await pool.end();`;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'inherit', 'inherit'] });
}

test('a command runs beside a newer version that says so, and refuses another one in one sentence', async () => {
  const url = await postgres.createDatabase('bridge');
  await using program = await Program.prepare({ DATABASE_URL: url, ENCRYPTION_KEYS });
  const { pool, end } = openPool(url);
  await using _ = { [Symbol.asyncDispose]: end };
  await pool.query(`insert into bridge.migrations (version, name, runs_beside) values (98, 'of the future', 1)`);
  expect(await program.run(['orders'])).toMatchObject({ code: 0 });
  await pool.query(`insert into bridge.migrations (version, name, runs_beside) values (99, 'of a later future', 98)`);

  const refused = await program.run(['orders']);

  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(
    /^orderbridge: the database was migrated by a newer version of orderbridge: this program is too old for the schema bridge; start the newer program\n$/,
  );
});
