import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

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
