import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrateJobs } from '../../../src/platform/jobs/job-store.ts';
import { migrate, NewerDatabase, NotNow, type SchemaPlan } from '../../../src/platform/postgres/migrate.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { until } from '../../support/worlds/settled.ts';

let postgres: TestPostgres;
let url: string;
let pool: pg.Pool;
let end: () => Promise<void>;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  url = await postgres.createDatabase();
  ({ pool, end } = openPool(url));
  await pool.query('create table ran (what text)');
});
afterEach(() => end());
afterAll(() => postgres[Symbol.asyncDispose]());

const noted = (what: string) => `insert into ran values ('${what}');`;
const boxes = { version: 1, name: 'boxes', runsBeside: 1, sql: `create table shed.boxes (id int); ${noted('boxes')}` };
const colours = { version: 2, name: 'colours', runsBeside: 1, sql: `alter table shed.boxes add colour text; ${noted('colours')}` };
const noIds = { version: 3, name: 'no ids', runsBeside: 2, sql: `alter table shed.boxes drop id; ${noted('no ids')}` };
const answer = (value: number) => ({
  name: 'answer',
  sql: `create or replace function shed.answer() returns int return ${value}; ${noted(`answer ${value}`)}`,
});

function plan(parts: Partial<SchemaPlan> = {}): SchemaPlan {
  return { schema: 'shed', migrations: [boxes, colours], functions: [answer(42)], ...parts };
}

async function rows(sql: string): Promise<unknown[]> {
  return (await pool.query({ text: sql, rowMode: 'array' })).rows.flat();
}

const ran = () => rows('select what from ran');

describe('a start', () => {
  test('makes the tables in order, then the functions; the next start changes nothing', async () => {
    await migrate(pool, plan());
    await migrate(pool, plan());

    expect(await ran()).toEqual(['boxes', 'colours', 'answer 42']);
    expect(await rows('select version from shed.migrations')).toEqual([1, 2]);
    expect(await rows('select shed.answer()')).toEqual([42]);
  });

  test('runs only what an earlier version of the program did not have', async () => {
    await migrate(pool, plan({ migrations: [boxes], functions: [] }));

    await migrate(pool, plan());

    expect(await ran()).toEqual(['boxes', 'colours', 'answer 42']);
  });

  test('reads the file of a version only where it runs', async () => {
    const absent = { ...boxes, sql: new URL('file:///no-such-version.sql') };

    await expect(migrate(pool, plan({ migrations: [absent] }))).rejects.toThrow('no-such-version.sql');
    await migrate(pool, plan({ migrations: [boxes] }));
    await migrate(pool, plan({ migrations: [absent] }));

    expect(await ran()).toEqual(['boxes', 'answer 42']);
  });

  test('runs each once, however many start at the same moment', async () => {
    await Promise.all(Array.from({ length: 5 }, () => migrate(pool, plan())));

    expect(await ran()).toEqual(['boxes', 'colours', 'answer 42']);
  });

  test('leaves nothing behind if its last statement fails', async () => {
    const broken = { name: 'broken', sql: 'create or replace function shed.broken() returns int return no_such_column' };

    await expect(migrate(pool, plan({ functions: [answer(42), broken] }))).rejects.toThrow('no_such_column');

    expect(await ran()).toEqual([]);
    expect(await rows(`select to_regnamespace('shed')`)).toEqual([null]);
  });

  test('takes as long as its tables need, also on a pool whose statements may not', async () => {
    const impatient = openPool(url, { statement_timeout: 2_000 });
    await using _ = { [Symbol.asyncDispose]: impatient.end };
    const slow = { version: 1, name: 'slow', runsBeside: 1, sql: 'select pg_sleep(2.2)' };

    await migrate(impatient.pool, plan({ migrations: [slow], functions: [] }));

    expect(await rows('select name from shed.migrations')).toEqual(['slow']);
  });
});

describe('a function', () => {
  test('is replaced when its text changed, and the others are not touched', async () => {
    const other = { name: 'other', sql: `create or replace function shed.other() returns int return 1; ${noted('other')}` };
    await migrate(pool, plan({ functions: [answer(42), other] }));

    await migrate(pool, plan({ functions: [answer(43), other] }));

    expect(await ran()).toEqual(['boxes', 'colours', 'answer 42', 'other', 'answer 43']);
    expect(await rows('select shed.answer()')).toEqual([43]);
  });

  test('whose parameters change is dropped in its own text first, again and again without harm', async () => {
    const drop = 'drop function if exists shed.answer();';
    const doubled = { name: 'answer', sql: `${drop} create or replace function shed.answer(n int) returns bigint return n * 2` };
    await migrate(pool, plan());

    await migrate(pool, plan({ functions: [doubled] }));
    await migrate(pool, plan({ functions: [{ ...doubled, sql: doubled.sql.replace('* 2', '* 3') }] }));

    expect(await rows('select shed.answer(2)::int')).toEqual([6]);
    expect(await rows(`select count(*)::int from pg_proc where pronamespace = 'shed'::regnamespace`)).toEqual([1]);
  });

  test('is replaced by a program of the same release or a later one alone, whichever starts last', async () => {
    const of = (release: string, value: number) => migrate(pool, plan({ release, functions: [answer(value)] }));
    await of('0.9.0', 1);

    await of('0.10.0', 2);
    await of('0.9.0', 1);
    await of('0.9.9-rc.1', 3);
    expect(await rows('select shed.answer()')).toEqual([2]);
    await of('0.10.0-rc.1', 4);
    expect(await rows('select shed.answer()')).toEqual([4]);
    await of('0.10.0', 2);

    expect(await ran()).toEqual(['boxes', 'colours', 'answer 1', 'answer 2', 'answer 4', 'answer 2']);
  });

  test('that can’t be replaced fails the start with the words of PostgreSQL, and the old one goes on', async () => {
    await migrate(pool, plan());

    const start = migrate(pool, plan({ functions: [{ name: 'answer', sql: `create or replace function shed.answer() returns text return 'six'` }] }));

    await expect(start).rejects.toThrow('cannot change return type of existing function');
    expect(await rows('select shed.answer()')).toEqual([42]);
  });
});

describe('beside programs of other versions', () => {
  const contracted = plan({ migrations: [boxes, colours, noIds] });

  test('an older program goes on where the newer version says so, and puts none of its functions back', async () => {
    await migrate(pool, plan());

    await migrate(pool, plan({ migrations: [boxes], functions: [answer(41)] }));

    expect(await ran()).toEqual(['boxes', 'colours', 'answer 42']);
  });

  test('one that is too old is refused, whatever later versions run beside', async () => {
    const shelves = { version: 4, name: 'shelves', runsBeside: 1, sql: '' };
    await migrate(pool, plan({ migrations: [boxes, colours, noIds, shelves] }));

    await migrate(pool, plan());
    const start = migrate(pool, plan({ migrations: [boxes], functions: [answer(41)] }));

    await expect(start).rejects.toThrow(NewerDatabase);
    await expect(start).rejects.toThrow('this program is too old for the schema shed; start the newer program');
    expect(await ran()).toEqual(['boxes', 'colours', 'no ids', 'answer 42']);
  });

  test('a version is not put in place while a process runs that is too old for it; one that was killed is forgotten', async () => {
    await migrateJobs(pool);
    await migrate(pool, plan({ migrations: [boxes] }));
    await pool.query(`insert into jobs.processes (id, role, host, pid, knows, versions)
      values (gen_random_uuid(), 'worker', 'here', 4242, '{}', '{"shed": 1}'), (gen_random_uuid(), 'receiver', 'here', 4243, '{}', '{"shed": 2}')`);
    const upgrade = () => migrate(pool, contracted);

    await expect(upgrade()).rejects.toThrow(NotNow);
    await expect(upgrade()).rejects.toThrow(
      /^version 3 of the schema shed runs beside programs of version 2 and later, and older ones run: worker on here \(pid 4242, since [^)]+\) of version 1\. /,
    );
    expect(await ran()).toEqual(['boxes', 'answer 42']);

    await migrate(pool, plan());
    await expect(upgrade()).rejects.toThrow(NotNow);
    await pool.query(`update jobs.processes set seen_at = now() - interval '61 s' where role = 'worker'`);
    await upgrade();
    expect(await ran()).toEqual(['boxes', 'answer 42', 'colours', 'no ids']);
  });

  test('a change gives way to those that wait behind it for a long transaction, and comes again', async () => {
    await migrate(pool, plan({ migrations: [boxes] }));
    const others = openPool(url, { statement_timeout: 20_000 });
    await using _ = { [Symbol.asyncDispose]: others.end };
    const long = await others.pool.connect();
    await long.query('begin; lock table shed.boxes in access share mode');

    const upgrade = migrate(pool, plan());
    const waits = `select from pg_locks where relation = 'shed.boxes'::regclass and not granted`;
    await until(async () => (await others.pool.query(waits)).rowCount === 1, { what: 'the change to wait' });
    await others.pool.query('select from shed.boxes');
    await long.query('commit');
    long.release();
    await upgrade;

    expect(await ran()).toEqual(['boxes', 'answer 42', 'colours']);
  });
});
