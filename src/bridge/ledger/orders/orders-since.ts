import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { hourOf, LATE } from '../counts/count-hours.ts';

/** What became of an order: it got a record, or a person was asked about it, and still is. */
export type ChangeSince = 'recorded' | 'asked';

// Steps by which orders got their first record, as they are counted. The index of times keeps what is looked at small.
const RECORDED = (from: string, until: string) => `select s.order_ref from steps s where s.kind = 'create' and s.outcome = 'recorded'
  and s.began_at >= ${from} - interval '1 day' and s.ended_at >= ${from} and s.ended_at < ${until}
  and (s.seq = 1 or not exists (select from steps e where e.order_ref = s.order_ref and e.seq < s.seq and e.kind = 'create' and e.outcome = 'recorded'))`;

const SINCE: Readonly<Record<ChangeSince, string>> = {
  recorded: RECORDED('$1::timestamptz', `'infinity'::timestamptz`),
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

// Whole hours that are not counted again are taken as counted: only what was before the first of them, and after the last, is looked at.
const COUNTED = `with hours as materialized (select at, recorded, sums from counts where span = 'hour' and subject = '' and at >= $1
      and at < (select ${hourOf(`counted_until - ${LATE}`)} from counts where span = 'hour' and subject = '' order by at desc limit 1)),
    bounds as materialized (select coalesce(min(at), 'infinity') as first, coalesce(max(at) + interval '1 hour', 'infinity') as until from hours),
    beside as materialized (${RECORDED('$1::timestamptz', '(select first from bounds)')}
      union all ${RECORDED('(select until from bounds)', `'infinity'::timestamptz`)})`;

/** How many there are; none beyond `most` are counted. */
export async function countOrdersSince(pool: Pool, { became, since, most }: Since): Promise<number> {
  const recorded = `${COUNTED} select least($2, (select coalesce(sum(recorded), 0) from hours) + (select count(*) from beside))::int as count`;
  const text = became === 'recorded' ? recorded : `select count(*) as count from (${SINCE.asked} limit $2) o`;
  return (await readOne(pool, countRow, { text, values: [since, most] })).count;
}

const sumRows = rowsOf('orders', z.object({ count: z.int(), totals: z.array(z.object({ currency: z.string(), total: z.string() })) }));

/** Orders that got their first record since an instant (ISO), and by currency what their customers paid: as it was when it was counted, also if an order was edited since. */
export function recordedSince(pool: Pool, since: string): Promise<z.output<typeof sumRows.schema>> {
  const text = `${COUNTED}, sums as (select s.key as currency, s.value::numeric as total from hours cross join jsonb_each_text(hours.sums) s
      union all select o.currency, o.total from beside join orders o on o.id = beside.order_ref)
    select ((select coalesce(sum(recorded), 0) from hours) + (select count(*) from beside))::int as count, coalesce((select jsonb_agg(jsonb_build_object(
      'currency', currency, 'total', total::text) order by currency) from (select currency, sum(total) as total from sums where currency is not null and total is not null group by 1) x), '[]') as totals`;
  return readOne(pool, sumRows, { text, values: [since] });
}
