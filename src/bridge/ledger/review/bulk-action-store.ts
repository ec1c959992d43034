import { z } from 'zod';
import { isUuid } from '../../../contract/uuid.ts';
import type { Actor } from '../../../platform/audit-log/audit-log.ts';
import type { Pool, Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { orderState } from '../order-columns.ts';
import { RECORD_PENDING } from '../orders/pending-orders.ts';
import { type OrderInReview, reviewRow } from './release-from-review.ts';
import type { IssueKey } from './review-groups.ts';

/** What somebody did to many orders at once. `act`: as the audit log names it; `about`: JSON, for words. */
export type NewBulkAction = { who: Actor; act: string; about: unknown; orders: readonly number[] };

const bulkActionRow = rowsOf(
  'bulk_actions',
  z.object({
    ...{ id: z.string(), who: z.string(), act: z.string(), about: z.unknown(), at: z.string() },
    /** How many, and the first of them. */
    ...{ orders: z.int(), first: z.int().nullable() },
    /** Not all of it was worked on. */
    isWorkedOn: z.boolean(),
  }),
);
const idRow = rowsOf('bulk_actions', z.object({ id: z.string() }));

export type BulkAction = z.output<typeof bulkActionRow.schema>;

const INSERT = 'insert into bulk_actions (who, act, about, orders)';

/** One that who made it carries out. */
export async function insertBulkAction(db: Queryable, { who, act, about, orders }: NewBulkAction): Promise<string> {
  return (await readOne(db, idRow, { text: `${INSERT} values ($1, $2, $3, $4) returning id`, values: [who, act, JSON.stringify(about), orders] })).id;
}

// Anyone who makes it works on it at once; if that one dies first, another process does.
const withJob = (select: string): string => `with made as (${INSERT} ${select} returning id),
  job as (insert into jobs (kind, key, due_at) select 'bulk-action', id::text, now() + interval '10 seconds' from made)
  select id from made`;

/** One that a job carries out. */
export async function beginBulkAction(db: Queryable, { who, act, about, orders }: NewBulkAction): Promise<string> {
  return (await readOne(db, idRow, { text: withJob('values ($1, $2, $3, $4)'), values: [who, act, JSON.stringify(about), orders] })).id;
}

/** The same with all orders in review of a group, the oldest first; null: there is none. */
export async function beginBulkActionOfGroup(
  db: Queryable,
  { who, act, about }: Omit<NewBulkAction, 'orders'>,
  { connectionId, code, pattern }: IssueKey,
): Promise<string | null> {
  const row = await readRow(db, idRow, {
    text: withJob(`select $1, $2, $3::jsonb, array_agg(order_ref order by order_ref) from review_orders
      where connection_id = $4 and code = $5 and pattern = $6 and state = 'review' having count(*) > 0`),
    values: [who, act, JSON.stringify(about), connectionId, code, pattern],
  });
  return row?.id ?? null;
}

/** Null: there is none, or it is too long ago. */
export async function readBulkAction(db: Queryable, id: string): Promise<BulkAction | null> {
  if (!isUuid(id)) return null;
  return readRow(db, bulkActionRow, {
    text: `select id, who, act, about, at, cardinality(orders) as orders, orders[1] as first,
      exists (select from jobs where kind = 'bulk-action' and key = $1::text) as "isWorkedOn" from bulk_actions where id = $1::uuid`,
    values: [id],
  });
}

const becameRows = rowsOf(
  'orders',
  z.object({ is: z.enum(['left', 'under-way', 'done']), state: orderState, code: z.string(), pattern: z.string(), connectionId: z.string(), count: z.int() }),
);

/** Orders of a bulk action, counted. left: nothing was done to them yet; under-way: nobody is asked, and nothing is decided yet. */
export type Became = z.output<typeof becameRows.schema>;

/** What became of the orders of a bulk action, by what they are now: no process has to live for it. */
export async function whatBecame(pool: Pool, id: string): Promise<Became[]> {
  return readRows(pool, becameRows, {
    text: `select case when o.state = 'review' and o.updated_at < r.at then 'left' when o.state = 'queued' or ${RECORD_PENDING} then 'under-way' else 'done' end as is,
        o.state, coalesce(a.code, '') as code, coalesce(a.pattern, '') as pattern, o.connection_id as "connectionId", count(*) as count
      from bulk_actions r cross join unnest(r.orders) x(id) join orders o on o.id = x.id left join review_orders a on a.order_ref = o.id
      where r.id = $1 group by 1, 2, 3, 4, 5 order by count(*) desc, 2, 3, 4`,
    values: [id],
  });
}

const sumRows = rowsOf('orders', z.object({ currency: z.string().nullable(), total: z.string().nullable() }));

/** What the customers of those of its orders paid that are recorded by now. */
export function recordedSums(pool: Pool, id: string): Promise<z.output<typeof sumRows.schema>[]> {
  return readRows(pool, sumRows, {
    text: `select o.currency, trim_scale(sum(o.total))::text as total from bulk_actions r cross join unnest(r.orders) x(id) join orders o on o.id = x.id
      where r.id = $1 and o.state = 'recorded' group by 1`,
    values: [id],
  });
}

const orderRows = rowsOf('bulk_actions', z.object({ id: z.int() }));

/** The ids of the orders of a bulk action; of none that is known, none. */
export async function ordersOfBulkAction(pool: Pool, id: string): Promise<number[]> {
  return (await readRows(pool, orderRows, { text: 'select unnest(orders) as id from bulk_actions where id = $1::uuid', values: [id] })).map((row) => row.id);
}

/** Of the orders of a bulk action in these places (from 1 on), those to which nothing was done since it was made; none if its job was dropped. */
export function leftOfBulkAction(pool: Pool, id: string, { from, to }: { from: number; to: number }): Promise<OrderInReview[]> {
  return readRows(pool, reviewRow, {
    text: `select o.id, o.connection_id as "connectionId", o.number, o.review_code as code
      from bulk_actions r cross join unnest(r.orders[$2:$3]) with ordinality x(id, place) join orders o on o.id = x.id
      where r.id = $1 and o.state = 'review' and o.updated_at < r.at
        and exists (select from jobs j where j.kind = 'bulk-action' and j.key = r.id::text) order by x.place`,
    values: [id, from, to],
  });
}

/** Drops bulk actions that are too long ago; returns how many. */
export async function dropOldBulkActions(pool: Pool, { days, now }: { days: number; now: Date }): Promise<number> {
  const { rowCount } = await pool.query(`delete from bulk_actions where at < $2::timestamptz - $1 * interval '1 day'`, [days, now]);
  return rowCount ?? 0;
}
