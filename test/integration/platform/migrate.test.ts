import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrate, NewerDatabase, type SchemaPlan } from '../../../src/platform/postgres/migrate.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';

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
const boxes = { version: 1, name: 'boxes', sql: `create table shed.boxes (id int); ${noted('boxes')}` };
const colours = { version: 2, name: 'colours', sql: `alter table shed.boxes add colour text; ${noted('colours')}` };
const answer = (value: number) => ({
  name: 'answer',
  sql: `create or replace function shed.answer() returns int return ${value}; ${noted(`answer ${value}`)}`,
});

function plan(parts: Partial<SchemaPlan> = {}): SchemaPlan {
  return { schema: 'shed', lock: 'migrate shed', migrations: [boxes, colours], functions: [answer(42)], ...parts };
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
    const impatient = openPool(url, { statement_timeout: 50 });
    await using _ = { [Symbol.asyncDispose]: impatient.end };
    const slow = { version: 1, name: 'slow', sql: 'select pg_sleep(0.2)' };

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

  test('that can’t be replaced fails the start with the words of PostgreSQL, and the old one goes on', async () => {
    await migrate(pool, plan());

    const start = migrate(pool, plan({ functions: [{ name: 'answer', sql: `create or replace function shed.answer() returns text return 'six'` }] }));

    await expect(start).rejects.toThrow('cannot change return type of existing function');
    expect(await rows('select shed.answer()')).toEqual([42]);
  });
});

test('a program that is older than the database is refused, and puts none of its functions back', async () => {
  await migrate(pool, plan());

  const start = migrate(pool, plan({ migrations: [boxes], functions: [answer(41)] }));

  await expect(start).rejects.toThrow(NewerDatabase);
  await expect(start).rejects.toThrow('the schema shed has version 2, this program knows it up to 1; start the newer program');
  expect(await ran()).toEqual(['boxes', 'colours', 'answer 42']);
});
