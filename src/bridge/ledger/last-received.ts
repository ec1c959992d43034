import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const lastRow = rowsOf('traffic', z.object({ name: z.string(), at: z.string().nullable() }));
const refusedRows = rowsOf('refusals', z.object({ connectionId: z.string(), name: z.string(), code: z.string(), count: z.int() }));

/** Of these connections the live one whose webhook was accepted last, and when; `at` null: none ever was. Null: none of them is live. */
export function lastReceived(pool: Pool, connections: readonly string[]): Promise<z.output<typeof lastRow.schema> | null> {
  return readRow(pool, lastRow, {
    text: `select c.name, t.accepted_at as at from connections c left join traffic t on t.connection_id = c.id
      where c.closed_at is null and c.id = any($1) order by t.accepted_at desc nulls last, c.created_at limit 1`,
    values: [connections],
  });
}

/** How many of the kept refusals of these connections came since then, by their reason: the most first. */
export function refusedSince(pool: Pool, connections: readonly string[], since: string): Promise<z.output<typeof refusedRows.schema>[]> {
  return readRows(pool, refusedRows, {
    text: `select r.connection_id as "connectionId", c.name, r.code, count(*) as count from refusals r join connections c on c.id = r.connection_id
      where r.connection_id = any($1) and r.at >= $2 group by 1, 2, 3 order by count(*) desc, 1, 3 limit 5`,
    values: [connections, since],
  });
}
