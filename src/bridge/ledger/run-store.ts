import { z } from 'zod';
import { isUuid } from '../../contract/uuid.ts';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { orderState, storedCode } from './order-columns.ts';
import { RECORD_PENDING } from './pending-orders.ts';
import type { OrderInReview } from './release-from-review.ts';
import type { IssueKey } from './review-groups.ts';

/** What somebody did to many orders at once. `act`: as the trail names it; `about`: JSON, for words. */
export type NewRun = { who: Actor; act: string; about: unknown; orders: readonly number[] };

const runRow = rowsOf(
  'runs',
  z.object({
    ...{ id: z.string(), who: z.string(), act: z.string(), about: z.unknown(), at: z.string() },
    /** How many, and the first of them. */
    ...{ orders: z.int(), first: z.int().nullable() },
    /** A process works on it. */
    isLeased: z.boolean(),
    /** It was worked on to its end. */
    hasEnded: z.boolean(),
  }),
);
const idRow = rowsOf('runs', z.object({ id: z.string() }));

export type Run = z.output<typeof runRow.schema>;

export async function insertRun(db: Queryable, { who, act, about, orders }: NewRun): Promise<string> {
  const text = 'insert into runs (who, act, about, orders) values ($1, $2, $3, $4) returning id';
  return (await readOne(db, idRow, { text, values: [who, act, JSON.stringify(about), orders] })).id;
}

/** Of all orders in review of a group, the oldest first; null: there is none. */
export async function insertRunOfGroup(
  db: Queryable,
  { who, act, about }: Omit<NewRun, 'orders'>,
  { connectionId, code, pattern }: IssueKey,
): Promise<string | null> {
  const row = await readRow(db, idRow, {
    text: `insert into runs (who, act, about, orders) select $1, $2, $3, array_agg(order_ref order by order_ref) from review_orders
      where connection_id = $4 and code = $5 and pattern = $6 and state = 'review' having count(*) > 0 returning id`,
    values: [who, act, JSON.stringify(about), connectionId, code, pattern],
  });
  return row?.id ?? null;
}

/** Null: there is none, or it is too long ago. */
export async function readRun(db: Queryable, id: string): Promise<Run | null> {
  if (!isUuid(id)) return null;
  return readRow(db, runRow, {
    text: `select id, who, act, about, at, cardinality(orders) as orders, orders[1] as first, coalesce(lease_until > now(), false) as "isLeased", ended_at is not null as "hasEnded"
      from runs where id = $1`,
    values: [id],
  });
}

const becameRows = rowsOf(
  'orders',
  z.object({ is: z.enum(['left', 'under-way', 'done']), state: orderState, code: z.string(), pattern: z.string(), connectionId: z.string(), count: z.int() }),
);

/** Orders of a run, counted. left: nothing was done to them yet; under-way: nobody is asked, and nothing is decided yet. */
export type Became = z.output<typeof becameRows.schema>;

/** What became of the orders of a run, by what they are now: no process has to live for it. */
export async function whatBecame(pool: Pool, id: string): Promise<Became[]> {
  return readRows(pool, becameRows, {
    text: `select case when o.state = 'review' and o.updated_at < r.at then 'left' when o.state = 'queued' or ${RECORD_PENDING} then 'under-way' else 'done' end as is,
        o.state, coalesce(a.code, '') as code, coalesce(a.pattern, '') as pattern, o.connection_id as "connectionId", count(*) as count
      from runs r cross join unnest(r.orders) x(id) join orders o on o.id = x.id left join review_orders a on a.order_ref = o.id
      where r.id = $1 group by 1, 2, 3, 4, 5 order by count(*) desc, 2, 3, 4`,
    values: [id],
  });
}

/** Longer than a page of it takes: who says nothing for so long is dead. */
const LEASE = `interval '30 seconds'`;

/** Begins to work on a run, or goes on. False: some process does. */
export async function holdRun(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update runs set lease_until = now() + ${LEASE}, ended_at = null where id = $1 and (lease_until is null or lease_until < now())`,
    [id],
  );
  return rowCount === 1;
}

/** Whoever works on it lives; or they end: `hasEnded` all of it was worked on. */
export async function stampRun(db: Queryable, id: string): Promise<void> {
  await db.query(`update runs set lease_until = now() + ${LEASE} where id = $1`, [id]);
}

export async function leaveRun(db: Queryable, id: string, { hasEnded }: { hasEnded: boolean }): Promise<void> {
  await db.query('update runs set lease_until = null, ended_at = case when $2 then now() end where id = $1', [id, hasEnded]);
}

const leftRows = rowsOf('orders', z.object({ id: z.int(), connectionId: z.string(), number: z.string().nullable(), code: storedCode }));

/** Of the orders of a run in these places (from 1 on), those to which nothing was done since it was made. */
export function leftOfRun(pool: Pool, id: string, { from, to }: { from: number; to: number }): Promise<OrderInReview[]> {
  return readRows(pool, leftRows, {
    text: `select o.id, o.connection_id as "connectionId", o.number, o.review_code as code
      from runs r cross join unnest(r.orders[$2:$3]) with ordinality x(id, place) join orders o on o.id = x.id
      where r.id = $1 and o.state = 'review' and o.updated_at < r.at order by x.place`,
    values: [id, from, to],
  });
}

/** Drops runs that are too long ago; returns how many. */
export async function dropOldRuns(pool: Pool, { days, now }: { days: number; now: Date }): Promise<number> {
  const { rowCount } = await pool.query(`delete from runs where at < $2::timestamptz - $1 * interval '1 day'`, [days, now]);
  return rowCount ?? 0;
}
