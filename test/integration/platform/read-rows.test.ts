import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readEach, readOne, readRow, readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { UnreadableRow } from '../../../src/platform/postgres/unreadable-row.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';

let postgres: TestPostgres;
let db: ReturnType<typeof openPool>;
beforeAll(async () => {
  postgres = await startPostgres();
  db = openPool(postgres.url);
});
afterAll(async () => {
  await db.end();
  await postgres[Symbol.asyncDispose]();
});

const people = rowsOf('people', z.object({ id: z.int(), data: z.strictObject({ email: z.string(), age: z.int().max(130) }) }));
const text = `select id, data::jsonb from (values (1, '{"email": "a@example.invalid", "age": 30}'), (2, '{"email": 5, "age": 200, "Мария": 1}')) people(id, data)`;

test('rows are returned as their schema parses them, all, one, or none', async () => {
  const [first] = await readRows(db.pool, people, { text: `${text} where id = $1`, values: [1] });

  expect(first).toEqual({ id: 1, data: { email: 'a@example.invalid', age: 30 } });
  expect(await readOne(db.pool, people, { text })).toEqual(first);
  expect(await readRow(db.pool, people, { text: `${text} where id > 2` })).toBeNull();
  await expect(readOne(db.pool, people, { text: `${text} where id > 2` })).rejects.toThrow('a statement on people gave no row');
});

test('a row that does not parse is named by table, id and field, without a value or a foreign key of it', async () => {
  const error = await readRows(db.pool, people, { text }).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(UnreadableRow);
  expect(error).toMatchObject({
    id: 2,
    message: 'a row of people (id 2) can’t be read: data.email: expected string; data.age: too big; data: unrecognized keys',
  });
});

test('a batch goes on without the rows that can’t be read', async () => {
  const { readable, unreadable } = await readEach(db.pool, people, { text });

  expect(readable.map(({ id }) => id)).toEqual([1]);
  expect(unreadable.map(({ id }) => id)).toEqual([2]);
});

test('a row without an id is named by its table', async () => {
  await expect(readRow(db.pool, rowsOf('counts', z.object({ n: z.int() })), { text: `select 'many' as n` })).rejects.toThrow(
    'a row of counts can’t be read: n: expected number',
  );
});
