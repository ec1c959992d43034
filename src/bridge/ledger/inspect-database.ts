import type { Pool } from '../../platform/postgres/postgres.ts';

/** `now`: the database's clock, as ISO text. */
export type DatabaseFacts = { version: string; now: string; fsync: string; synchronousCommit: string };

/** What a person should know of the database that the ledger is in. */
export async function inspectDatabase(pool: Pool): Promise<DatabaseFacts> {
  const { rows } = await pool.query<DatabaseFacts>(
    `select current_setting('server_version') as version, clock_timestamp() as now, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as "synchronousCommit"`,
  );
  const [facts] = rows;
  if (facts === undefined) throw new Error('the database answers without a row');
  return facts;
}
