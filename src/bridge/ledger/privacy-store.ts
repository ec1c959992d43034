import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { namesOneOf, type PrivacyScope } from '../delivery/erase-delivery.ts';
import { jsonText } from './json-text.ts';

const connectionIds = rowsOf('connections', z.object({ id: z.string() }));
const unread = rowsOf('deliveries', z.object({ id: z.string(), body: z.instanceof(Buffer) }));
// Returned as it is stored.
const exported = rowsOf('orders', z.record(z.string(), z.unknown()));
const privacyExports = rowsOf(
  'privacy_exports',
  z.object({ id: z.int(), connectionId: z.string(), requestId: z.string(), createdAt: z.string(), data: z.unknown() }),
);

/** By the platform's ids, under which there may be several orders. */
const OF_IDS = '$4::text[] is null or (order_id = any($4) and platform_id is null) or platform_id = any($4)';

/** Every connection through which orders of this scope can have come, closed ones too. */
export async function connectionsOf(pool: Pool, { shopId, platform }: PrivacyScope): Promise<string[]> {
  const rows = await readRows(pool, connectionIds, { text: 'select id from connections where shop_id = $1 and platform = $2', values: [shopId, platform] });
  return rows.map(({ id }) => id);
}

/**
 * Erases personal data of these orders: the customer (a tombstone that later snapshots respect), the bodies of kept deliveries, and what exports
 * hold of them. Fiscal amounts stay.
 */
export async function eraseFromLedger(pool: Pool, scope: PrivacyScope): Promise<void> {
  await pool.query(
    `with subject as (select id from orders where shop_id = $1 and platform = $2 and store = $3 and (${OF_IDS})),
      bodies as (update deliveries set body = null where body is not null and order_ref in (select id from subject))
     insert into customers (order_ref, data, erased_at) select id, null, now() from subject
     on conflict (order_ref) do update set data = null, erased_at = coalesce(customers.erased_at, now())`,
    [scope.shopId, scope.platform, scope.store, scope.orderIds],
  );
  await eraseFromExports(pool, scope);
  await eraseUnread(pool, scope);
}

async function eraseFromExports(pool: Pool, scope: PrivacyScope): Promise<void> {
  await pool.query(
    `update privacy_exports e set data = jsonb_build_object('orders', (
       select coalesce(jsonb_agg(case when $2::text[] is null or coalesce(o ->> 'platform_id', o ->> 'order_id') = any($2) then o - 'customer' else o end), '[]')
       from jsonb_array_elements(e.data -> 'orders') o))
     where connection_id = any($1)`,
    [await connectionsOf(pool, scope), scope.orderIds],
  );
}

/** Bodies of no known order (unreadable, held) may name the person, too: those with one of the order ids are erased. */
export async function eraseUnread(pool: Pool, { shopId, platform, orderIds }: PrivacyScope): Promise<void> {
  const rows = await readRows(pool, unread, {
    text: `select d.id, d.body from deliveries d join connections c on c.id = d.connection_id
     where d.order_ref is null and d.body is not null and c.shop_id = $1 and c.platform = $2`,
    values: [shopId, platform],
  });
  const hit = rows.filter(({ body }) => orderIds === null || namesOneOf(body, orderIds)).map(({ id }) => id);
  if (hit.length > 0) await pool.query('update deliveries set body = null where id = any($1)', [hit]);
}

export type PrivacyExport = z.output<typeof privacyExports.schema>;

/** Exports the stored data of these orders for the merchant, who must hand it to the customer. */
export async function storeExport(pool: Pool, scope: PrivacyScope, request: { connectionId: string; requestId: string }): Promise<void> {
  const orders = await readRows(pool, exported, {
    text: `select o.order_id, o.platform_id, o.number, o.state, o.record, o.compliance_id, c.data as customer from orders o left join customers c on c.order_ref = o.id
     where o.shop_id = $1 and o.platform = $2 and o.store = $3 and (${OF_IDS}) order by o.id`,
    values: [scope.shopId, scope.platform, scope.store, scope.orderIds],
  });
  await pool.query('insert into privacy_exports (connection_id, request_id, data) values ($1, $2, $3) on conflict do nothing', [
    request.connectionId,
    request.requestId,
    jsonText({ orders }),
  ]);
}

export async function listExports(pool: Pool): Promise<PrivacyExport[]> {
  return readRows(pool, privacyExports, {
    text: 'select id, connection_id as "connectionId", request_id as "requestId", created_at as "createdAt", data from privacy_exports order by id',
  });
}
