import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { BEHIND, LACKS } from './behind-store.ts';

/** So many orders of a connection are looked at, however many are behind. */
export const MOST_BEHIND = 1_000;

const behind = z.object({
  connectionId: z.string(),
  records: z.int(),
  receipts: z.int(),
  since: z.string().nullable(),
  recordsDue: z.string().nullable(),
  receiptsDue: z.string().nullable(),
});
const behindRows = rowsOf('orders', behind);

/**
 * Orders of a connection whose record is behind, and those whose receipt alone is due; of each, at most `MOST_BEHIND` in all are counted. `since`: of
 * the record that is behind longest; `recordsDue`, `receiptsDue`: the same of those that wait for nothing else. ISO instants.
 */
export type BehindOf = z.output<typeof behind>;

/** Those of connection `c` that lack this, the first ones to be due first. */
const firstOf = (lacks: number): string => `(select ${lacks === 0} as record, coalesce(o.dirty_since, (o.receipt ->> 'since')::timestamptz) as since,
          coalesce(o.due_at, now()) <= now() as due, o.due_at from orders o where o.connection_id = c.id and ${BEHIND} and ${LACKS} = ${lacks} order by o.due_at limit $1)`;

/** By connection; one of which nothing is behind is absent. Costs nothing for those, and little for others. */
export async function behindByConnection(pool: Pool): Promise<ReadonlyMap<string, BehindOf>> {
  const rows = await readRows(pool, behindRows, {
    text: `select c.id as "connectionId", own.* from connections c cross join lateral (
        select count(*) filter (where b.record) as records, count(*) filter (where not b.record) as receipts,
          min(b.since) filter (where b.record) as since, min(b.since) filter (where b.record and b.due) as "recordsDue",
          min(b.since) filter (where not b.record and b.due) as "receiptsDue"
        from (select * from (${firstOf(0)} union all ${firstOf(1)}) either order by not record, due_at limit $1) b) own
      where own.records + own.receipts > 0`,
    values: [MOST_BEHIND],
  });
  return new Map(rows.map((row) => [row.connectionId, row]));
}
