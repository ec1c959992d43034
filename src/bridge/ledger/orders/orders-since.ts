import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';

/** What became of an order: it got a record, or a person was asked about it, and still is. */
export type ChangeSince = 'recorded' | 'asked';

/** SQL of the steps by which orders were recorded since $1. The index of times keeps what is looked at small. */
export const RECORDED_SINCE = `from steps s where s.kind = 'create' and s.outcome = 'recorded' and s.began_at >= $1::timestamptz - interval '1 day' and s.ended_at >= $1`;

const SINCE: Readonly<Record<ChangeSince, string>> = {
  recorded: `select distinct s.order_ref ${RECORDED_SINCE}`,
  asked: 'select order_ref from review_orders where asked_at >= $1',
};

const idRows = rowsOf('orders', z.object({ id: z.int() }));
const countRow = rowsOf('orders', z.object({ count: z.int() }));

type Since = { became: ChangeSince; since: string; most: number };

const OF_STORES = '$3::text[] is null or exists (select from orders o where o.id = c.order_ref and o.connection_id = any($3))';

/** The orders of which this became since an instant (ISO): the newest, at most so many. `connections`: those of these alone; null: of all. */
export async function ordersSince(pool: Pool, { became, since, most, connections }: Since & { connections: readonly string[] | null }): Promise<number[]> {
  const text = `select order_ref as id from (${SINCE[became]}) c where ${OF_STORES} order by order_ref desc limit $2`;
  return (await readRows(pool, idRows, { text, values: [since, most, connections] })).map(({ id }) => id);
}

/** How many there are; none beyond `most` are counted. */
export async function countOrdersSince(pool: Pool, { became, since, most }: Since): Promise<number> {
  const text = `select count(*) as count from (${SINCE[became]} limit $2) o`;
  return (await readOne(pool, countRow, { text, values: [since, most] })).count;
}
