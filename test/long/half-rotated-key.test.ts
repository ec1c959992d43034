import { expect, test } from 'vitest';
import { z } from 'zod';
import { readOne, readRows, rowsOf } from '../../src/platform/postgres/read-rows.ts';
import { startHealthWorld } from '../support/worlds/health-world.ts';

const keys = rowsOf('compliance.api_keys', z.object({ id: z.string(), lasts: z.boolean() }));

// As a crash between the two: the service has the new key, and orderbridge’s own destination still the old one.
const CRASHES = `
  create function crash() returns trigger language plpgsql as $$ begin raise exception 'crashed'; end $$;
  create trigger crash before update on destinations for each row execute function crash()`;
const WORKS_AGAIN = 'drop trigger crash on destinations; drop function crash()';

test('doctor names a rotation of a key that crashed half way, and what it says to type mends it', async () => {
  await using it = await startHealthWorld();
  const { pool } = it.bridge;
  const { id } = await readOne(pool, keys, { text: `select id, true as lasts from compliance.api_keys` });
  await pool.query(CRASHES);
  expect(await it.run(['service', 'keys', 'rotate', id])).toMatchObject({ code: 1, err: expect.stringContaining('crashed') });
  await pool.query(WORKS_AGAIN);

  const sick = await it.run(['doctor']);
  const line = /^WRONG +compliance key .*$/m.exec(sick.out)?.[0] ?? '';
  const typed = [...line.matchAll(/`orderbridge ([^`]+)`/g)].map(([, words = '']) => words.split(' '));

  expect(line).toContain(`the rotation of key ${id} did not finish`);
  expect(typed.map((words) => words.slice(0, 3).join(' '))).toEqual(['service keys rotate', 'service keys revoke']);
  expect(typed[0]?.at(-1)).toBe(id);
  for (const words of typed) expect(await it.run(words)).toMatchObject({ code: 0 });
  const left = await readRows(pool, keys, { text: 'select id, revoked_at is null and ends_at is null as lasts from compliance.api_keys' });
  expect(left.filter(({ lasts }) => lasts)).toHaveLength(1);
  expect((await it.run(['doctor'])).out).not.toContain('compliance key ');
  await pool.query(`update compliance.api_keys set ends_at = now() where id = $1`, [id]);
  expect((await it.run(['doctor'])).out).not.toMatch(/^WRONG +compliance/m);
});
