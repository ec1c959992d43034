import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf } from '../error-words.ts';
import { programVersion } from '../program-version.ts';
import { retry } from '../retry.ts';
import { allowLongStatements, inTransaction, type Pool, type Queryable } from './postgres.ts';
import { named, runningProcesses, SILENT_SECONDS } from './processes.ts';
import { readOne, readRows, rowsOf } from './read-rows.ts';

/**
 * A change of tables. It runs once in the life of a database, so it is never edited after it was released. The file of its SQL is read only where it runs.
 * `runsBeside`: programs that were made for this version or a later one can run once it is there.
 */
export type Migration = { version: number; name: string; runsBeside: number; sql: string | URL };

/** SQL that may run any number of times (`create or replace …`), and runs again whenever its text is not the one that ran last, unless a later release ran that. */
export type Replaceable = { name: string; sql: string };

/** The schema that a program needs. */
export type SchemaPlan = {
  schema: string;
  migrations: readonly Migration[];
  /** In the order in which they need each other. */
  functions: readonly Replaceable[];
  /** Of the program; this one’s if absent. */
  release?: string;
};

/** The database was brought up to date by a newer program, beside which this one can't run. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase';

  constructor(schema: string) {
    super(`the database was migrated by a newer version of orderbridge: this program is too old for the schema ${schema}; start the newer program`);
  }
}

/** A schema can't be brought up to date now. It is as it was. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
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

/** The advisory lock of concurrent starts, the same in programs of all versions. */
const LOCK = 'migrate orderbridge';
/** All that use a table wait behind a change that waits for it: so the change gives way, and comes again. */
const LOCK_WAIT = '1s';
const GIVES_WAY = ['55P03', '40P01'];
const COMES_AGAIN = { retries: 20, minTimeout: 2_000, factor: 1 };

/**
 * Brings a schema up to date, whole or not at all: a killed or failed start is rolled back, and concurrent starts take turns. One that is up to date is only
 * read, and so is one of a newer program beside which this one can run: older functions would undo its fixes. Throws a `NewerDatabase` if it can't, and a
 * `NotNow` while processes run that could not run any more.
 */
export function migrate(pool: Pool, plan: SchemaPlan): Promise<void> {
  return asOwner(plan.schema, () => bringUpToDate(pool, plan));
}

async function bringUpToDate(pool: Pool, plan: SchemaPlan): Promise<void> {
  if (await isUpToDate(pool, plan)) return;
  try {
    await retry(() => inTransaction(pool, (tx) => upgrade(tx, plan)), { ...COMES_AGAIN, shouldRetry: ({ error: { cause } }) => givesWay(cause) });
  } catch (thrown) {
    if (!givesWay(thrown)) throw thrown;
    throw new NotNow(`long transactions use tables of the schema ${plan.schema}, which was not changed; run this again when they (a backup?) are over`, {
      cause: thrown,
    });
  }
}

function givesWay(thrown: unknown): boolean {
  return GIVES_WAY.includes(codeOf(thrown));
}

async function upgrade(tx: Queryable, plan: SchemaPlan): Promise<void> {
  const { schema, migrations } = plan;
  await allowLongStatements(tx, '0');
  await tx.query('select pg_advisory_xact_lock(hashtext($1))', [LOCK]);
  await tx.query(`create schema if not exists ${schema}`);
  await tx.query(
    `create table if not exists ${schema}.migrations (version int primary key, name text not null, runs_beside int not null, applied_at timestamptz not null default now())`,
  );
  const made = await readOne(tx, latest, { text: latestIn(schema) });
  if (isNewer(made, plan)) return;
  await refuseBesideOlder(tx, made, plan);
  await tx.query(`set local lock_timeout = '${LOCK_WAIT}'`);
  for (const { version, name, runsBeside, sql } of migrations.filter((migration) => migration.version > made.done)) {
    await tx.query(typeof sql === 'string' ? sql : await readFile(sql, 'utf8'));
    await tx.query(`insert into ${schema}.migrations (version, name, runs_beside) values ($1, $2, $3)`, [version, name, runsBeside]);
  }
  await replaceChanged(tx, plan);
}

/** Waits for an upgrade that is under way, which may not have seen a process that began meanwhile. */
export async function upgradeEnds(pool: Pool): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await allowLongStatements(tx, '0');
    await tx.query('select pg_advisory_xact_lock_shared(hashtext($1))', [LOCK]);
  });
}

const UNDEFINED_TABLE = '42P01';
const UNDEFINED_SCHEMA = '3F000';

/** Asks without waiting for a start that is under way. */
async function isUpToDate(pool: Pool, plan: SchemaPlan): Promise<boolean> {
  const { schema, migrations, functions } = plan;
  try {
    const made = await readOne(pool, latest, { text: latestIn(schema) });
    if (isNewer(made, plan)) return true;
    if (made.done !== newestOf(migrations)) return false;
    return functions.length === 0 || changed(plan, await readRows(pool, digests, { text: digestsIn(schema) })).length === 0;
  } catch (thrown) {
    if ([UNDEFINED_TABLE, UNDEFINED_SCHEMA].includes(codeOf(thrown))) return false;
    throw thrown;
  }
}

/** Throws if this program is too old for it. */
function isNewer({ done, oldest }: Made, { schema, migrations }: SchemaPlan): boolean {
  if (oldest > newestOf(migrations)) throw new NewerDatabase(schema);
  return done > newestOf(migrations);
}

async function refuseBesideOlder(tx: Queryable, made: Made, { schema, migrations }: SchemaPlan): Promise<void> {
  const oldest = Math.max(...migrations.map(({ runsBeside }) => runsBeside));
  if (made.done === 0 || oldest <= made.oldest) return;
  const older = (await runningProcesses(tx)).filter(({ versions }) => (versions[schema] ?? 0) < oldest);
  if (older.length === 0) return;
  const those = older.map((one) => `${named([one])} of version ${one.versions[schema] ?? 0}`).join(', ');
  throw new NotNow(
    `version ${newestOf(migrations)} of the schema ${schema} runs beside programs of version ${oldest} and later, and older ones run: ${those}. The schema was ` +
      `not changed: stop them, or bring them to the release between, and run this again; one that was killed counts for ${SILENT_SECONDS} s`,
  );
}

function latestIn(schema: string): string {
  return `select coalesce(max(version), 0) as done, coalesce(max(runs_beside), 0) as oldest from ${schema}.migrations`;
}

function digestsIn(schema: string): string {
  return `select name, digest, release from ${schema}.functions`;
}

export function newestOf(migrations: readonly Migration[]): number {
  return Math.max(0, ...migrations.map(({ version }) => version));
}

/** `done`: the newest version that it has. `oldest`: of programs that can run. */
const made = z.object({ done: z.int(), oldest: z.int() });
type Made = z.output<typeof made>;
const latest = rowsOf('migrations', made);
const ran = z.object({ name: z.string(), digest: z.string(), release: z.string() });
const digests = rowsOf('functions', ran);

async function replaceChanged(tx: Queryable, plan: SchemaPlan): Promise<void> {
  const { schema, functions, release = programVersion } = plan;
  if (functions.length === 0) return;
  await tx.query(
    `create table if not exists ${schema}.functions (name text primary key, digest text not null, release text not null, applied_at timestamptz not null default now())`,
  );
  for (const { name, sql, digest } of changed(plan, await readRows(tx, digests, { text: digestsIn(schema) }))) {
    await tx.query(sql);
    await tx.query(
      `insert into ${schema}.functions (name, digest, release) values ($1, $2, $3)
         on conflict (name) do update set digest = excluded.digest, release = excluded.release, applied_at = now()`,
      [name, digest, release],
    );
  }
}

function changed({ functions, release = programVersion }: SchemaPlan, applied: readonly z.output<typeof ran>[]): (Replaceable & { digest: string })[] {
  const known = new Map(applied.map((one) => [one.name, one]));
  return functions
    .map(({ name, sql }) => ({ name, sql, digest: createHash('sha256').update(sql).digest('hex') }))
    .filter(({ name, digest }) => {
      const before = known.get(name);
      return before === undefined || (before.digest !== digest && !isLater(before.release, release));
    });
}

/** Of the numbers alone: of two with the same, such as `0.2.0-rc.1` and `0.2.0`, neither is. */
function isLater(one: string, other: string): boolean {
  const [a = '', b = ''] = [one, other].map((release) => release.split('-')[0]);
  return a.localeCompare(b, 'en', { numeric: true }) > 0;
}
