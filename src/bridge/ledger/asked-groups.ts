import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { OrderInReview } from './release-from-review.ts';
import { storedCode } from './stored-order.ts';

const text = z.string();

/** What orders of a connection are asked alike. `code` '': they are unconfirmed. */
export type AskedAlike = { connectionId: string; code: string; alike: string };

const countRows = rowsOf(
  'asked_orders',
  z.object({
    ...{ connectionId: text, code: text, alike: text },
    /** In Sofia, of the orders' creation; null: not known. */
    month: text.nullable(),
    currency: text.nullable(),
    orders: z.int(),
    /** How many have no record at all. */
    unrecorded: z.int(),
    /** Decimal text; null: not known. */
    total: text.nullable(),
    /** ISO instant of the first one's creation; null: not known. */
    oldest: text.nullable(),
    /** The id of the newest one. */
    newest: z.int(),
  }),
);

/** Those of one month and currency, counted. */
export type AskedCount = z.output<typeof countRows.schema>;

// Grouped by one number, then named by one of them: grouping by texts takes twice as long.
const COUNTS = `with counted as (
    select kind, count(*) as orders, count(*) filter (where is_unrecorded) as unrecorded, sum(total)::text as total, min(made) as oldest, max(order_ref) as newest
    from asked_orders where $1::text[] is null or connection_id = any($1) group by kind)
  select a.connection_id as "connectionId", a.code, a.alike, a.month, a.currency, c.orders, c.unrecorded, c.total, c.oldest, c.newest
  from counted c join asked_orders a on a.order_ref = c.newest`;

/** All orders about which a person is asked. `connections`: only those of them; null: of all. */
export function askedCounts(pool: Pool, connections: readonly string[] | null): Promise<AskedCount[]> {
  return readRows(pool, countRows, { text: COUNTS, values: [connections] });
}

const OF_GROUP = 'a.connection_id = $1 and a.code = $2 and a.alike = $3';
const valuesOf = ({ connectionId, code, alike }: AskedAlike) => [connectionId, code, alike];

const askedRows = rowsOf(
  'orders',
  z.object({
    ...{ id: z.int(), orderId: text, number: text.nullable(), detail: text.nullable(), currency: text.nullable(), total: text.nullable() },
    made: text.nullable(),
    hasRecord: z.boolean(),
  }),
);

/** One of them, without its facts. */
export type AskedOrder = z.output<typeof askedRows.schema>;

/** The newest first. `only`: that one, if it is among them. */
export function askedOrders(pool: Pool, group: AskedAlike, { limit, only = null }: { limit: number; only?: number | null }): Promise<AskedOrder[]> {
  return readRows(pool, askedRows, {
    text: `select o.id, o.order_id as "orderId", o.number, o.review_detail as detail, a.currency, a.total::text as total, a.made, not a.is_unrecorded as "hasRecord"
      from asked_orders a join orders o on o.id = a.order_ref where ${OF_GROUP} and ($5::bigint is null or a.order_ref = $5) order by a.order_ref desc limit $4`,
    values: [...valuesOf(group), limit, only],
  });
}

const alikeRow = rowsOf('asked_orders', z.object({ connectionId: text, code: text, alike: text }));

/** What one order is asked alike with others; null: nobody is asked about it. */
export function askedAlikeOf(pool: Pool, orderRef: number): Promise<AskedAlike | null> {
  return readRow(pool, alikeRow, {
    text: 'select a.connection_id as "connectionId", a.code, a.alike from asked_orders a where a.order_ref = $1',
    values: [orderRef],
  });
}

const reviewRows = rowsOf('orders', z.object({ id: z.int(), connectionId: text, number: text.nullable(), code: storedCode }));

/** The ones in review of a group, the newest first. */
export function inReviewAlike(pool: Pool, group: AskedAlike, limit: number | null): Promise<OrderInReview[]> {
  return readRows(pool, reviewRows, {
    text: `select o.id, o.connection_id as "connectionId", o.number, o.review_code as code from asked_orders a join orders o on o.id = a.order_ref
      where ${OF_GROUP} and o.state = 'review' and o.review_code = $2 order by a.order_ref desc limit $4`,
    values: [...valuesOf(group), limit],
  });
}

/** An order in review, whatever it waits for by now; null: it waits no more. */
export async function inReviewNow(pool: Pool, id: number): Promise<OrderInReview | null> {
  const [order] = await readRows(pool, reviewRows, {
    text: `select o.id, o.connection_id as "connectionId", o.number, o.review_code as code from orders o where o.id = $1 and o.state = 'review'`,
    values: [id],
  });
  return order ?? null;
}
