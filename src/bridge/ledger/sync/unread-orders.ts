import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { SummariesRead } from '../../reconciliation/read-page.ts';
import { LOCK_ORDER } from '../orders/lock-orders.ts';

const unreadRow = z.object({ connectionId: z.string(), count: z.int(), since: z.string(), numbers: z.array(z.string()) });
const unreadRows = rowsOf('unread_orders', unreadRow);

/** Orders that a store lists and that could not be read whole. `since`: ISO instant of the first; `numbers`: what people call the first few. */
export type UnreadOrders = z.output<typeof unreadRow>;

// What is looked up is called by its id: a number that a list showed stays.
const KEEP = `insert into unread_orders (connection_id, order_id, number, changed_at)
  select $1, x.id, x.number, x.at from jsonb_to_recordset($2) as x(id text, number text, at text)
  on conflict (connection_id, order_id) do update set
    number = case when excluded.number = excluded.order_id then unread_orders.number else excluded.number end, changed_at = excluded.changed_at`;

const OLDER = `with shown as (
    select o.id, x.older from connections c, jsonb_to_recordset($2) as x(id text, older jsonb), orders o
      where c.id = $1 and o.shop_id = c.shop_id and o.platform = c.platform and o.store = c.store
        and ((o.platform_id is null and o.order_id = x.id) or o.platform_id = x.id) and (o.older_there is not null or x.older is not null)
      order by ${LOCK_ORDER} for no key update of o)
  update orders o set older_there = shown.older from shown where o.id = shown.id`;

/** Keeps which orders of a page could not be read whole, and of which the store shows an older state; and forgets the others of the page. */
export async function noteUnread(pool: Pool, connectionId: string, { unread, read, older }: SummariesRead): Promise<void> {
  const ids = read.map(({ orderId }) => orderId);
  const at = new Date().toISOString();
  const olderById = new Map(older?.map(({ orderId, updatedAt, status, kept }) => [orderId, { updatedAt, status, kept, at }]));
  const shown = ids.map((id) => ({ id, older: olderById.get(id) ?? null }));
  if (older !== undefined && ids.length > 0) await pool.query(OLDER, [connectionId, JSON.stringify(shown)]);
  if (ids.length > 0) await pool.query('delete from unread_orders where connection_id = $1 and order_id = any($2)', [connectionId, ids]);
  if (unread.length === 0) return;
  await pool.query(KEEP, [connectionId, JSON.stringify(unread.map(({ orderId, number, updatedAt }) => ({ id: orderId, number, at: updatedAt })))]);
}

// A webhook may have told of it since, or an attempt have read it.
const UNREAD = `select u.connection_id as "connectionId", count(*)::int as count, min(u.since) as since, (array_agg(u.number order by u.since, u.order_id))[1:5] as numbers
  from unread_orders u join connections c on c.id = u.connection_id
  where c.closed_at is null and not exists (select from orders o join order_facts f on f.order_ref = o.id where o.shop_id = c.shop_id and o.platform = c.platform and o.store = c.store
    and ((o.platform_id is null and o.order_id = u.order_id) or o.platform_id = u.order_id) and greatest(f.facts #>> '{snapshot,updatedAt}', f.facts #>> '{snapshot,readAt}') >= u.changed_at)
  group by u.connection_id order by u.connection_id`;

/** By live connection; those of which all orders are read are absent. */
export function unreadOrders(pool: Pool): Promise<UnreadOrders[]> {
  return readRows(pool, unreadRows, { text: UNREAD });
}
