import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';

const counts = rowsOf('orders', z.object({ ignored: z.int(), waiting: z.int() }));

/** How many orders of a connection are left out, and how many are not paid yet: new settings may take them in. */
export function leftOutCounts(pool: Pool, connectionId: string): Promise<{ ignored: number; waiting: number }> {
  return readOne(pool, counts, {
    text: `select count(*) filter (where state = 'ignored') as ignored, count(*) filter (where state = 'waiting') as waiting
       from orders where connection_id = $1 and state in ('ignored', 'waiting') and record is null`,
    values: [connectionId],
  });
}

/** So many of each are counted beforehand. */
export const MOST_LEFT_OUT = 10_000;

/** The same before anything is changed, of each at most `MOST_LEFT_OUT`. */
export function leftOutAtMost(pool: Pool, connectionId: string): Promise<{ ignored: number; waiting: number }> {
  const some = (state: string) =>
    `(select count(*)::int from (select 1 from orders where connection_id = $1 and state = '${state}' and record is null limit $2) few)`;
  return readOne(pool, counts, { text: `select ${some('ignored')} as ignored, ${some('waiting')} as waiting`, values: [connectionId, MOST_LEFT_OUT] });
}
