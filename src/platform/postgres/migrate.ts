import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf } from '../error-words.ts';
import { inTransaction, type Pool, type Queryable } from './postgres.ts';
import { readOne, readRows, rowsOf } from './read-rows.ts';

/** A change of tables. It runs once in the life of a database, so it is never edited after it was released. The file of its SQL is read only where it runs. */
export type Migration = { version: number; name: string; sql: string | URL };

/** SQL that may run any number of times (`create or replace …`), and runs again whenever its text is not the one that ran last. */
export type Replaceable = { name: string; sql: string };

/** The schema that a program needs. */
export type SchemaPlan = {
  schema: string;
  /** The advisory lock of concurrent starts, the same in programs of all versions. */
  lock: string;
  migrations: readonly Migration[];
  /** In the order in which they need each other. */
  functions: readonly Replaceable[];
};

/** The database was brought up to date by a newer program, whose tables and functions this one does not know. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase';
}

/** What only the owner of the database may do is still to be done, or the owner has not granted what the program needs. */
export class OwnerNeeded extends Error {
  override readonly name = 'OwnerNeeded';

  constructor(schema: string, cause: unknown) {
    super(
      `the schema ${schema} is not as this program needs it, and the role in DATABASE_URL may not change that: run \`orderbridge migrate\` ` +
        'as the owner (with the owner’s DATABASE_URL), after docs/grants.sql, which lets the program’s role use what the owner makes',
      { cause },
    );
  }
}

/** Runs `work`, which may make or change what is in a schema; throws an `OwnerNeeded` where the role may not. */
export async function asOwner<T>(schema: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw codeOf(thrown) === INSUFFICIENT_PRIVILEGE ? new OwnerNeeded(schema, thrown) : thrown;
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Brings a schema up to date, whole or not at all: a killed or failed start is rolled back, and concurrent starts take turns.
 * Throws a `NewerDatabase` if a newer program did so before: older functions would undo its fixes while it runs. One that is up to date is only read.
 */
export function migrate(pool: Pool, plan: SchemaPlan): Promise<void> {
  return asOwner(plan.schema, () => bringUpToDate(pool, plan));
}

async function bringUpToDate(pool: Pool, plan: SchemaPlan): Promise<void> {
  if (await isUpToDate(pool, plan)) return;
  await inTransaction(pool, async (tx) => {
    // A large table takes longer than the limit of ordinary statements.
    await tx.query('set local statement_timeout = 0');
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [plan.lock]);
    await tx.query(`create schema if not exists ${plan.schema}`);
    await runMissing(tx, plan);
    await replaceChanged(tx, plan);
  });
}

const UNDEFINED_TABLE = '42P01';
const UNDEFINED_SCHEMA = '3F000';

/** Asks without waiting for a start that is under way. */
async function isUpToDate(pool: Pool, { schema, migrations, functions }: SchemaPlan): Promise<boolean> {
  try {
    const { done } = await readOne(pool, latest, { text: latestIn(schema) });
    if (done !== newestOf(migrations)) return false;
    return functions.length === 0 || changed(functions, await readRows(pool, digests, { text: digestsIn(schema) })).length === 0;
  } catch (thrown) {
    if ([UNDEFINED_TABLE, UNDEFINED_SCHEMA].includes(codeOf(thrown))) return false;
    throw thrown;
  }
}

function latestIn(schema: string): string {
  return `select coalesce(max(version), 0) as done from ${schema}.migrations`;
}

function digestsIn(schema: string): string {
  return `select name, digest from ${schema}.functions`;
}

function newestOf(migrations: readonly Migration[]): number {
  return Math.max(0, ...migrations.map(({ version }) => version));
}

const latest = rowsOf('migrations', z.object({ done: z.int() }));
const digests = rowsOf('functions', z.object({ name: z.string(), digest: z.string() }));

async function runMissing(tx: Queryable, { schema, migrations }: SchemaPlan): Promise<void> {
  await tx.query(
    `create table if not exists ${schema}.migrations (version int primary key, name text not null, applied_at timestamptz not null default now())`,
  );
  const { done } = await readOne(tx, latest, { text: latestIn(schema) });
  const known = newestOf(migrations);
  if (done > known) {
    throw new NewerDatabase(
      `the database was migrated by a newer version of orderbridge: the schema ${schema} has version ${done}, this program knows it up to ${known}; start the newer program`,
    );
  }
  for (const { version, name, sql } of migrations.filter((migration) => migration.version > done)) {
    await tx.query(typeof sql === 'string' ? sql : await readFile(sql, 'utf8'));
    await tx.query(`insert into ${schema}.migrations (version, name) values ($1, $2)`, [version, name]);
  }
}

async function replaceChanged(tx: Queryable, { schema, functions }: SchemaPlan): Promise<void> {
  if (functions.length === 0) return;
  await tx.query(`create table if not exists ${schema}.functions (name text primary key, digest text not null, applied_at timestamptz not null default now())`);
  for (const { name, sql, digest } of changed(functions, await readRows(tx, digests, { text: digestsIn(schema) }))) {
    await tx.query(sql);
    await tx.query(
      `insert into ${schema}.functions (name, digest) values ($1, $2) on conflict (name) do update set digest = excluded.digest, applied_at = now()`,
      [name, digest],
    );
  }
}

function changed(functions: readonly Replaceable[], applied: readonly { name: string; digest: string }[]): (Replaceable & { digest: string })[] {
  const known = new Map(applied.map(({ name, digest }) => [name, digest]));
  return functions
    .map(({ name, sql }) => ({ name, sql, digest: createHash('sha256').update(sql).digest('hex') }))
    .filter(({ name, digest }) => known.get(name) !== digest);
}
