import { z } from 'zod';
import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { forgetBuyersOf } from './outbox-job-store.ts';
import { OF_IDS, type PrivacyScope } from './privacy-scope.ts';
import { markErased } from './sent-with.ts';

const lockedRows = rowsOf('orders', z.object({ id: z.int(), last: z.string() }));

/** Orders that are locked together. */
const PAGE = 1_000;

/**
 * Erases the buyers of these orders: the customer (a tombstone that later snapshots respect), the bodies of their deliveries, and what exports
 * contain of them. Fiscal amounts stay.
 */
export async function eraseFromLedger(pool: Pool, scope: PrivacyScope): Promise<void> {
  for (let after: string | null = ''; after !== null; ) after = await erasePage(pool, scope, after);
  await eraseFromExports(pool, scope);
  if (scope.orderIds === null) await pool.query(FORGET_CLIENTS, [scope.shopId, scope.platform, scope.store]);
}

// With the whole store go the addresses that refused webhooks came from.
const FORGET_CLIENTS = `update refusals r set client = null from connections c
  where c.id = r.connection_id and c.shop_id = $1 and c.platform = $2 and c.store = $3 and r.client is not null`;

// By order id, a page after the other; an order that was known then had come by then, also if it is forgotten which webhooks told of it. Locked as recorders lock them, which write their bodies and buyers before or after: never in between.
const LOCK = `with subject as (
    select o.id, o.order_id from orders o where o.shop_id = $1 and o.platform = $2 and o.store = $3 and (${OF_IDS})
      and ($4::text[] is not null or o.created_at <= $5 or exists (select from deliveries d where d.order_ref = o.id and d.arrived_at <= $5)) and o.order_id > $6
    order by o.order_id limit ${PAGE})
  select o.id, (select max(order_id) from subject) as last from orders o where o.id in (select id from subject)
  order by coalesce(o.platform_id, o.order_id), o.id for no key update of o`;

// The service has the buyer, too. One that was erased by age alone is asked for now.
const ERASE = `with sent as (${markErased('select unnest($1::bigint[])')}),
  bodies as (update deliveries set body = null where body is not null and order_ref = any($1)),
  erased as (insert into customers (order_ref, data, erased_at) select id, null, now() from unnest($1::bigint[]) id
    on conflict (order_ref) do update set data = null, erased_at = now(), by_age = false where customers.erased_at is null or customers.by_age
    returning order_ref)
  ${forgetBuyersOf('select order_ref from erased')}`;

/** The last order id of the page; null: there is no more. */
function erasePage(pool: Pool, { shopId, platform, store, orderIds, until }: PrivacyScope, after: string): Promise<string | null> {
  return inTransaction(pool, async (tx) => {
    const page = await readRows(tx, lockedRows, { text: LOCK, values: [shopId, platform, store, orderIds, until, after] });
    if (page.length > 0) await tx.query(ERASE, [page.map(({ id }) => id)]);
    return page.length < PAGE ? null : (page[0]?.last ?? null);
  });
}

// By the platform's id: what was exported as ID~2 may have another id since, or have been joined to the first one.
const IS_ERASED = `case when $4::text[] is null
  then exists (select from orders o join customers c on c.order_ref = o.id where o.shop_id = $1 and o.platform = $2 and o.store = $3
    and coalesce(o.platform_id, o.order_id) = coalesce(entry ->> 'platform_id', entry ->> 'order_id') and c.erased_at is not null)
  else coalesce(entry ->> 'platform_id', entry ->> 'order_id') = any($4) end`;

/** Of every connection through which orders of this scope can have come, closed ones too. */
async function eraseFromExports(pool: Pool, { shopId, platform, store, orderIds }: PrivacyScope): Promise<void> {
  await pool.query(
    `update privacy_exports e set data = jsonb_build_object('orders', (
       select coalesce(jsonb_agg(case when ${IS_ERASED} then entry - 'customer' else entry end), '[]') from jsonb_array_elements(e.data -> 'orders') entry))
     where e.connection_id in (select id from connections where shop_id = $1 and platform = $2)
       and exists (select from jsonb_array_elements(e.data -> 'orders') entry where entry ? 'customer' and ${IS_ERASED})`,
    [shopId, platform, store, orderIds],
  );
}
