import { z } from 'zod';
import { migrateJobs } from '../../platform/jobs/job-store.ts';
import { type Migration, migrate, newestOf } from '../../platform/postgres/migrate.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';
import { programFile } from '../../platform/program-file.ts';

export const LEDGER_SCHEMA = 'bridge';

const MIGRATIONS: readonly Migration[] = [{ version: 1, name: 'ledger', runsBeside: 1, sql: programFile('bridge/ledger/version-1.sql') }];
export const LEDGER_VERSION = newestOf(MIGRATIONS);

/** Creates the ledger's tables and that of jobs, or brings those of an earlier version up to date. */
export async function migrateLedger(pool: Pool): Promise<void> {
  await migrateJobs(pool);
  await migrate(pool, { schema: LEDGER_SCHEMA, migrations: MIGRATIONS, functions: [] });
}

const facts = rowsOf(
  'the settings',
  z.object({
    version: z.string(),
    major: z.int(),
    now: z.string(),
    fsync: z.string(),
    synchronousCommit: z.string(),
    isSuperuser: z.boolean(),
    mayCreate: z.boolean(),
    open: z.int(),
    mostOpen: z.int(),
  }),
);

/** Versions of PostgreSQL that orderbridge was run with. */
export const POSTGRES = { oldest: 15, newest: 18 } as const;

/** `now`: the database's clock, as ISO text. `isSuperuser`, `mayCreate`: what the role in use is, and whether it may make schemas. `open`: connections to the server. */
type DatabaseFacts = z.output<typeof facts.schema>;

/** Facts that a person should know about the ledger's database. */
export async function inspectDatabase(pool: Pool): Promise<DatabaseFacts> {
  return readOne(pool, facts, {
    text: `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major, clock_timestamp() as now, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as "synchronousCommit", current_setting('is_superuser')::bool as "isSuperuser",
       has_database_privilege(current_database(), 'create') as "mayCreate",
       (select sum(numbackends)::int from pg_stat_database) as open, current_setting('max_connections')::int as "mostOpen"`,
  });
}
