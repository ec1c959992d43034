import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { inTransaction, type Pool, sessionSettings } from './postgres.ts';
import { readOne, readRows, rowsOf } from './read-rows.ts';

const shown = rowsOf('the settings', z.object({ name: z.string(), value: z.string() }));
const statements = rowsOf('pg_prepared_statements', z.object({ isKept: z.boolean() }));
const here = rowsOf('pg_control_system', z.object({ here: z.string() }));
const HERE = `select system_identifier || '/' || current_database() as here from pg_control_system()`;

/** Why connections of a pooler in transaction mode, or those past it (`direct`), are not what the program needs, in words; null: they are. */
export async function poolerProblem({ pool, direct }: { pool: Pool; direct: Pool }, schema: string): Promise<string | null> {
  const wanted = sessionSettings(schema);
  const text = 'select name, current_setting(name) as value from unnest($1::text[]) name';
  const plain = (value: string | undefined) => value?.replaceAll(/[ "]/g, '');
  const wrong = (await readRows(pool, shown, { text, values: [[...wanted.keys()]] })).filter(({ name, value }) => plain(value) !== plain(wanted.get(name)));
  if (wrong.length > 0) {
    const differences = wrong.map(({ name, value }) => `${name} is ${value || 'empty'}, and must be ${wanted.get(name)}`);
    return `its role has other settings (${differences.join('; ')}): run ops/pooler.sql, then RECONNECT in the console of PgBouncer`;
  }
  if (await keepsNames(pool))
    return 'it does not manage prepared statements: take PgBouncer 1.21 or newer, with pool_mode transaction and max_prepared_statements above 0';
  const [behind, past] = await Promise.all([pool, direct].map((each) => readOne(each, here, { text: HERE })));
  return behind?.here === past?.here ? null : 'DATABASE_DIRECT_URL is another database';
}

/** A pooler that manages prepared statements gives them names of its own; by ours another process would find them, or miss them. */
async function keepsNames(pool: Pool): Promise<boolean> {
  const name = `orderbridge ${randomUUID()}`;
  const { isKept } = await inTransaction(pool, async (tx) => {
    await tx.query({ name, text: 'select 1' });
    return readOne(tx, statements, { text: 'select exists (select from pg_prepared_statements where name = $1) as "isKept"', values: [name] });
  });
  return isKept;
}
