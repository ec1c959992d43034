import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';

const facts = rowsOf('the settings', z.object({ version: z.string(), now: z.string(), fsync: z.string(), synchronousCommit: z.string() }));

/** `now`: the database's clock, as ISO text. */
export type DatabaseFacts = z.output<typeof facts.schema>;

/** Facts that a person should know about the ledger's database. */
export async function inspectDatabase(pool: Pool): Promise<DatabaseFacts> {
  return readOne(pool, facts, {
    text: `select current_setting('server_version') as version, clock_timestamp() as now, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as "synchronousCommit"`,
  });
}
