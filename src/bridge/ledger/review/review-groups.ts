import { z } from 'zod';
import { taxRecord } from '../../../contract/record.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readEach, readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { recordOf, storedCode, storedFacts, storedMapping } from '../order-columns.ts';
import type { OrderInReview } from './release-from-review.ts';

const groupRow = z.object({
  state: z.enum(['review', 'unconfirmed']),
  /** Null: unconfirmed. */
  code: z.string().nullable(),
  connectionId: z.string(),
  /** Null: not known. */
  currency: z.string().nullable(),
  orders: z.int(),
  /** Decimal text: what the customers paid or have to pay, before refunds. Null: not known. */
  total: z.string().nullable(),
  /** When the first of them was made, as its storefront wrote it; null: not known. */
  oldest: z.string().nullable(),
  /** How many have no record at all. */
  unrecorded: z.int(),
  /** Ids of the newest ones. */
  newest: z.array(z.int()),
});
const groupRows = rowsOf('orders', groupRow);

const reviewRow = z.object({ id: z.int(), orderId: z.string(), number: z.string().nullable(), detail: z.string().nullable(), openStep: z.string().nullable() });
const reviewRows = rowsOf('orders', reviewRow);

/** Orders of one store and currency that wait for a person for one reason. */
export type ReviewGroup = z.output<typeof groupRow>;
/** One of them, without its facts. `openStep`: the step whose outcome is not known. */
export type ReviewExample = z.output<typeof reviewRow>;

/** Ids of each group that are listed. */
const EXAMPLES = 3;

// What is no amount of money counts as none, rather than hiding all the others.
const GROUPS = `
  select state, review_code as code, connection_id as "connectionId", currency, count(*) as orders, sum(total)::text as total,
    min(made collate "C") as oldest, count(*) filter (where is_unrecorded) as unrecorded, to_jsonb((array_agg(id order by id desc))[1:$1]) as newest
  from (
    select o.id, o.state, case o.state when 'review' then o.review_code end as review_code, o.connection_id, o.currency, f.facts #>> '{snapshot,createdAt}' as made, o.record is null as is_unrecorded, o.total
    from orders o join order_facts f on f.order_ref = o.id where o.state in ('review', 'unconfirmed')) waiting
  group by state, review_code, connection_id, currency order by count(*) desc, review_code, connection_id, currency`;

/** Every order that waits for a person, counted by reason, store and currency: the largest groups first. */
export async function reviewGroups(pool: Pool): Promise<ReviewGroup[]> {
  return readRows(pool, groupRows, { text: GROUPS, values: [EXAMPLES] });
}

/** SQL of why the repeat of an order's open step was refused, in the service's words. */
const REFUSAL = `select s.detail from steps s where s.order_ref = orders.id and s.seq = (open_step ->> 'seq')::int and s.outcome in ('refused', 'conflict')`;

/** Those of these orders that still wait. */
export async function reviewExamples(pool: Pool, ids: readonly number[]): Promise<ReviewExample[]> {
  return readRows(pool, reviewRows, {
    text: `select id, order_id as "orderId", number, case state when 'review' then review_detail else (${REFUSAL}) end as detail, open_step ->> 'kind' as "openStep"
     from orders where id = any($1) and state in ('review', 'unconfirmed') order by id desc`,
    values: [ids],
  });
}

const text = z.string();

/** What similar orders of a connection have in common. `code` '': they are unconfirmed. */
export type IssueKey = { connectionId: string; code: string; pattern: string };

const countRows = rowsOf(
  'review_orders',
  z.object({
    ...{ connectionId: text, code: text, pattern: text },
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
    /** When a person was asked first and last: ISO instants; and on which of the days that were wanted: from 1 on, 0: before them. */
    ...{ firstAsked: text, lastAsked: text, day: z.int() },
  }),
);

/** Those of one month, currency and day, counted. */
export type IssueCount = z.output<typeof countRows.schema>;

// Grouped by one number, then named by one of them: grouping by texts takes twice as long.
const COUNTS = `with counted as (
    select kind, count(*) as orders, count(*) filter (where is_unrecorded) as unrecorded, sum(total)::text as total, min(made) as oldest, max(order_ref) as newest,
      min(asked_at) as first, max(asked_at) as last, width_bucket(asked_at, $2::timestamptz[]) as day
    from review_orders where $1::text[] is null or connection_id = any($1) group by kind, day)
  select a.connection_id as "connectionId", a.code, a.pattern, a.month, a.currency, c.orders, c.unrecorded, c.total, c.oldest, c.newest, c.day, c.first as "firstAsked", c.last as "lastAsked"
  from counted c join review_orders a on a.order_ref = c.newest`;

/** All orders about which a person is asked. `connections`: only those of them; null: of all. `days`: instants at which they begin. */
export function issueCounts(pool: Pool, connections: readonly string[] | null, days: readonly string[] = []): Promise<IssueCount[]> {
  return readRows(pool, countRows, { text: COUNTS, values: [connections, days] });
}

const OF_GROUP = 'a.connection_id = $1 and a.code = $2 and a.pattern = $3';
const valuesOf = ({ connectionId, code, pattern }: IssueKey) => [connectionId, code, pattern];

const reviewOrderRows = rowsOf(
  'orders',
  z.object({
    ...{ id: z.int(), orderId: text, number: text.nullable(), detail: text.nullable(), currency: text.nullable(), total: text.nullable() },
    made: text.nullable(),
    hasRecord: z.boolean(),
  }),
);

/** One of them, without its facts. */
export type ReviewOrder = z.output<typeof reviewOrderRows.schema>;

/** The newest first. `only`: that one, if it is among them. */
export function reviewOrders(pool: Pool, group: IssueKey, { limit, only = null }: { limit: number; only?: number | null }): Promise<ReviewOrder[]> {
  return readRows(pool, reviewOrderRows, {
    text: `select o.id, o.order_id as "orderId", o.number, o.review_detail as detail, a.currency, a.total::text as total, a.made, not a.is_unrecorded as "hasRecord"
      from review_orders a join orders o on o.id = a.order_ref where ${OF_GROUP} and ($5::bigint is null or a.order_ref = $5) order by a.order_ref desc limit $4`,
    values: [...valuesOf(group), limit, only],
  });
}

const keyRow = rowsOf('review_orders', z.object({ connectionId: text, code: text, pattern: text, month: text.nullable() }));

/** What one order has in common with similar ones, and its month; null: nobody is asked about it. */
export function issueKeyOf(pool: Pool, orderRef: number): Promise<(IssueKey & { month: string | null }) | null> {
  return readRow(pool, keyRow, {
    text: 'select a.connection_id as "connectionId", a.code, a.pattern, a.month from review_orders a where a.order_ref = $1',
    values: [orderRef],
  });
}

const inReviewRows = rowsOf('orders', z.object({ id: z.int(), connectionId: text, number: text.nullable(), code: storedCode }));

/** The ones in review of a group, the newest first. */
export function inReviewOfGroup(pool: Pool, group: IssueKey, limit: number | null): Promise<OrderInReview[]> {
  return readRows(pool, inReviewRows, {
    text: `select o.id, o.connection_id as "connectionId", o.number, o.review_code as code from review_orders a join orders o on o.id = a.order_ref
      where ${OF_GROUP} and o.state = 'review' and o.review_code = $2 order by a.order_ref desc limit $4`,
    values: [...valuesOf(group), limit],
  });
}

/** An order in review, whatever it waits for by now; null: it waits no more. */
export async function inReviewNow(pool: Pool, id: number): Promise<OrderInReview | null> {
  const [order] = await readRows(pool, inReviewRows, {
    text: `select o.id, o.connection_id as "connectionId", o.number, o.review_code as code from orders o where o.id = $1 and o.state = 'review'`,
    values: [id],
  });
  return order ?? null;
}

const waitingRows = rowsOf(
  'review_orders',
  z.object({
    state: z.enum(['review', 'unconfirmed']),
    code: z.string(),
    /** Null: they have several. */
    pattern: z.string().nullable(),
    count: z.int(),
    oldest: z.string(),
    totals: z.array(z.object({ currency: z.string(), total: z.string() })),
  }),
);
const deliveryRows = rowsOf('deliveries', z.object({ code: z.string(), count: z.int(), oldest: z.string() }));
const inboxRow = rowsOf('inbox', z.object({ count: z.int(), oldest: z.string().nullable() }));

/** Orders that wait for a person for one reason; `oldest`: since when the oldest is known (ISO instant). */
export type WaitingGroup = z.output<typeof waitingRows.schema>;

/** Orders in review by code, and the unconfirmed ones (of code ''). */
export function waitingGroups(pool: Pool): Promise<WaitingGroup[]> {
  return readRows(pool, waitingRows, { text: WAITING_GROUPS });
}

// Looked at every few seconds: by one number first, and without the facts of the orders.
const WAITING_GROUPS = `with kinds as (select kind, count(*) as count, min(since) as oldest, sum(total) as total, max(order_ref) as newest from review_orders group by kind),
    sums as (select a.state, a.code, a.currency, min(a.pattern) as first, max(a.pattern) as last, sum(k.count)::bigint as count, min(k.oldest) as oldest, sum(k.total)::text as total
      from kinds k join review_orders a on a.order_ref = k.newest group by 1, 2, 3)
  select state, code, case when min(first) = max(last) then min(first) end as pattern, sum(count)::bigint as count, min(oldest) as oldest,
    coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'total', total) order by currency) filter (where currency is not null and total is not null), '[]') as totals
  from sums group by 1, 2 order by 1, 2`;

/** Deliveries that no order is known of and a person must look at, by code; `oldest`: when the first arrived (ISO instant). */
export function reviewDeliveryGroups(pool: Pool): Promise<z.output<typeof deliveryRows.schema>[]> {
  return readRows(pool, deliveryRows, {
    text: `select coalesce(code, '') as code, count(*) as count, min(arrived_at) as oldest from deliveries where outcome = 'review' group by 1 order by 1`,
  });
}

/** What waits in the inbox, and since when the oldest does (ISO instant). */
export function inboxAge(pool: Pool): Promise<z.output<typeof inboxRow.schema>> {
  return readOne(pool, inboxRow, { text: 'select count(*) as count, min(arrived_at) as oldest from inbox' });
}

const row = z.object({
  id: z.int(),
  orderId: z.string(),
  facts: storedFacts,
  mapping: storedMapping.nullable(),
  record: taxRecord.nullable(),
  previous: taxRecord.nullable(),
  backfilled: z.boolean(),
  /** What a person is asked in words; null: nothing. */
  detail: z.string().nullable(),
  /** What was sent last, as it was journaled. */
  sent: taxRecord.nullable(),
});
const rows = rowsOf('orders', row);

/** An order with what is needed to decide about it. */
export type ReviewFacts = z.output<typeof row>;

/** These orders; one that can't be read is left out. */
export async function reviewFacts(pool: Pool, ids: readonly number[]): Promise<ReviewFacts[]> {
  const { readable } = await readEach(pool, rows, {
    text: `select o.id, o.order_id as "orderId", f.facts, o.mapping, ${recordOf('o')} as record, ${recordOf('o', 'previous')} as previous, o.backfilled, o.review_detail as detail,
         (select s.record from steps s where s.order_ref = o.id and s.kind = 'create' order by s.seq desc limit 1) as sent
       from orders o join order_facts f on f.order_ref = o.id where o.id = any($1)`,
    values: [ids],
  });
  return readable;
}
