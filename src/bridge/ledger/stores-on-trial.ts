import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const rows = rowsOf('connections', z.object({ id: z.string(), name: z.string(), since: z.string() }));

/** A live store of which nothing is submitted yet. `since`: ISO instant. */
export type StoreOnTrial = z.output<typeof rows.schema>;

/** Those, the longest on trial first. */
export function storesOnTrial(pool: Pool): Promise<StoreOnTrial[]> {
  return readRows(pool, rows, {
    text: 'select id, name, trial_since as since from connections where trial_since is not null and closed_at is null order by trial_since, id limit 20',
  });
}
