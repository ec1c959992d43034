import { z } from 'zod';
import { customer } from '../../contract/record.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { KnownOrder } from './fold-deliveries.ts';
import { jsonText } from './json-text.ts';
import { keyColumns, keyText, type OrderGroup } from './order-groups.ts';
import { ASKED } from './replan.ts';
import { storedFacts } from './stored-facts.ts';
import { orderState, storedCode } from './stored-order.ts';

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
  state: orderState,
  parkedCode: storedCode.nullable(),
  dirty_since: z.string().nullable(),
  backfilled: z.boolean(),
  customer_data: customer.nullable(),
  erased_at: z.string().nullable(),
  erasedByAge: z.boolean().nullable(),
  erasedUntil: z.string().nullable(),
});
const knownRows = rowsOf('orders', knownRow);

/** The order by which many rows of orders `o` are locked, whoever locks them: a row keeps its place for good. */
export const LOCK_ORDER = 'o.shop_id, o.platform, o.store, coalesce(o.platform_id, o.order_id), o.id';

/** SQL that locks those orders of `given` whose claims still hold, in that order, too: no recorder waits for who waits for it. `columns`: more of orders `o`. */
export const lockClaimed = (...columns: string[]): string =>
  `select ${['given.*', ...columns].join(', ')} from given join orders o on o.id = given.id and o.fence = given.fence order by ${LOCK_ORDER} for no key update of o`;

/** Until when an order's deliveries are erased because every order of its store is. */
export const erasedUntil = (order: string): string => `select t.until from tombstones t
  where t.shop_id = ${order}.shop_id and t.platform = ${order}.platform and t.store = ${order}.store and t.platform_id is null`;

/** Locks the orders of each group, those that came later under the same id included: the first one first, by the group's text. */
export async function lockOrders(tx: Queryable, groups: readonly OrderGroup[]): Promise<Map<string, KnownOrder[]>> {
  const rows = await readRows(tx, knownRows, {
    name: 'record-lock',
    text: `with k as (select * from jsonb_to_recordset($1) as k(shop_id uuid, platform text, store text, order_id text)),
        named as (select o.id from k join orders o using (shop_id, platform, store, order_id) where o.platform_id is null
          union all select o.id from k join orders o on o.shop_id = k.shop_id and o.platform = k.platform and o.store = k.store and o.platform_id = k.order_id)
      select o.id, o.shop_id as "shopId", o.platform, o.store, o.order_id as "orderId", coalesce(o.platform_id, o.order_id) as "platformId", o.facts, o.revision,
        greatest(o.recorded_revision, o.${ASKED}) >= o.revision as "atRest", (o.record is not null or o.previous is not null or o.open_step is not null or o.doubted is not null) as "isRecorded",
        o.dirty_since, o.backfilled, o.state, o.parked_code as "parkedCode", c.data as customer_data, c.erased_at, c.by_age as "erasedByAge", (${erasedUntil('o')}) as "erasedUntil"
      from named join orders o on o.id = named.id left join customers c on c.order_ref = o.id
      order by ${LOCK_ORDER} for update of o`,
    values: [jsonText(groups.map(({ key }) => keyColumns(key)))],
  });
  const known = Map.groupBy(rows, ({ platformId, ...key }) => keyText({ ...key, orderId: platformId }));
  return new Map([...known].map(([text, of]) => [text, of.map(withCustomer)]));
}

function withCustomer(row: z.output<typeof knownRow>): KnownOrder {
  if (row.erased_at !== null) return { ...row, customer: { kind: 'erased' } };
  return { ...row, customer: row.customer_data === null ? { kind: 'none' } : { kind: 'known', customer: row.customer_data } };
}
