import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

/** Of more records the sum is not counted: their orders lie all over the table. */
const MOST_SUMMED = 500;

const countRow = rowsOf('steps', z.object({ count: z.int() }));
const sumRows = rowsOf('orders', z.object({ currency: z.string(), total: z.string() }));

/** Orders that were recorded, by currency what their customers paid; `totals` null: there are too many to sum. */
export type RecordedSince = { count: number; totals: z.output<typeof sumRows.schema>[] | null };

// The index of times keeps what is looked at small.
const RECORDED = `from steps s where s.kind = 'create' and s.outcome = 'recorded' and s.began_at >= $1::timestamptz - interval '1 day' and s.ended_at >= $1`;

/** Since an instant (ISO). An order whose record was replaced counts once. */
export async function recordedSince(pool: Pool, since: string): Promise<RecordedSince> {
  const { count } = await readOne(pool, countRow, { text: `select count(distinct s.order_ref)::int as count ${RECORDED}`, values: [since] });
  if (count > MOST_SUMMED) return { count, totals: null };
  const totals = await readRows(pool, sumRows, {
    text: `select o.currency, sum(o.total)::text as total from (select distinct s.order_ref ${RECORDED}) r join orders o on o.id = r.order_ref
      where o.currency is not null and o.total is not null group by 1 order by 1`,
    values: [since],
  });
  return { count, totals };
}
