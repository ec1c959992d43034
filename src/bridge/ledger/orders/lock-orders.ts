import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { buyerColumn, withBuyers } from '../buyers.ts';
import { jsonText } from '../json-columns.ts';
import { orderState, REVIEW_REVISION, storedCode, storedFacts } from '../order-columns.ts';
import { type KnownOrder, keyColumns, keyText, type OrderGroup } from './fold-deliveries.ts';

const knownRow = z.object({
  id: z.int(),
  shopId: z.string(),
  platform: z.string(),
  store: z.string(),
  orderId: z.string(),
  platformId: z.string(),
  facts: storedFacts,
  revision: z.int(),
  atRest: z.boolean(),
  isRecorded: z.boolean(),
  isCreateOpen: z.boolean(),
  state: orderState,
  reviewCode: storedCode.nullable(),
  dirty_since: z.string().nullable(),
  backfilled: z.boolean(),
  customer: buyerColumn,
  erased: z.boolean(),
  erasedByAge: z.boolean().nullable(),
  erasedUntil: z.string().nullable(),
});
const knownRows = rowsOf('orders', knownRow);
const idRows = rowsOf('orders', z.object({ id: z.int() }));

/** The order by which many rows of orders `o` are locked, no matter who locks them: a row keeps its place for good. */
export const LOCK_ORDER = 'o.shop_id, o.platform, o.store, coalesce(o.platform_id, o.order_id), o.id';

/** SQL of the ids in the statement's first value, a JSON array: as one its length is no part of the plan, so that it is not made anew for each call. */
export const IDS_OF_JSON = '(select value::bigint as id from json_array_elements_text($1::json)) given';

/** SQL that locks those orders of `given` whose claims still hold, in that order, too: no recorder waits for who waits for it. `columns`: more of orders `o`. */
export const lockClaimed = (...columns: string[]): string =>
  `select ${['given.*', ...columns].join(', ')} from given join orders o on o.id = given.id and o.fence = given.fence order by ${LOCK_ORDER} for no key update of o`;

/** Until when an order's deliveries are erased because every order of its store is. */
export const erasedUntil = (order: string): string => `select t.until from tombstones t
  where t.shop_id = ${order}.shop_id and t.platform = ${order}.platform and t.store = ${order}.store and t.platform_id is null`;

/**
 * Locks the orders of each group, those that came later under the same id included: the first one first, by the group's text. They are read once they are
 * locked: a statement that waits for a row sees the other tables as they were before it waited. `materialized`: where a row changed while it was waited for,
 * PostgreSQL finds it again by the row beside it, and of a union only by that of its first part.
 */
export async function lockOrders(tx: Queryable, groups: readonly OrderGroup[]): Promise<Map<string, KnownOrder[]>> {
  const locked = await readRows(tx, idRows, {
    name: 'record-lock',
    text: `with k as (select * from jsonb_to_recordset($1) as k(shop_id uuid, platform text, store text, order_id text)),
        named as materialized (select o.id from k cross join lateral (${ofStore('o.order_id = k.order_id and o.platform_id is null')}) o
          union all select o.id from k cross join lateral (${ofStore('o.platform_id = k.order_id')}) o)
      select o.id from named join orders o on o.id = named.id order by ${LOCK_ORDER} for update of o`,
    values: [jsonText(groups.map(({ key }) => keyColumns(key)))],
  });
  return locked.length === 0
    ? new Map()
    : readKnown(
        tx,
        locked.map(({ id }) => id),
      );
}

// `offset 0`, here and above: looked up for each row, whatever the planner thought of the table when it was empty. A connection keeps the plan that was made then.
/** SQL of the orders of the store of `k` for which this holds. */
function ofStore(condition: string): string {
  return `select o.id from orders o where o.shop_id = k.shop_id and o.platform = k.platform and o.store = k.store and ${condition} offset 0`;
}

async function readKnown(tx: Queryable, ids: readonly number[]): Promise<Map<string, KnownOrder[]>> {
  const rows = await readRows(tx, withBuyers(tx, knownRows, { waits: true }), {
    name: 'record-known',
    text: `select o.id, o.shop_id as "shopId", o.platform, o.store, o.order_id as "orderId", coalesce(o.platform_id, o.order_id) as "platformId", f.facts, o.revision,
        greatest(o.recorded_revision, o.${REVIEW_REVISION}) >= o.revision as "atRest", (o.record is not null or o.previous is not null or o.open_step is not null or o.uncertain is not null) as "isRecorded", coalesce(o.open_step ->> 'kind' = 'create', false) as "isCreateOpen",
        o.dirty_since, o.backfilled, o.state, o.review_code as "reviewCode", c.data as customer, c.erased_at is not null as erased, c.by_age as "erasedByAge", (${erasedUntil('o')}) as "erasedUntil"
      from ${IDS_OF_JSON} cross join lateral (select * from orders where orders.id = given.id offset 0) o join order_facts f on f.order_ref = o.id left join customers c on c.order_ref = o.id
      order by ${LOCK_ORDER}`,
    values: [JSON.stringify(ids)],
  });
  return Map.groupBy(rows, ({ platformId, ...key }) => keyText({ ...key, orderId: platformId }));
}
