import type { Queryable } from '../../platform/postgres/postgres.ts';

/**
 * Forgets the buyers of orders, deleted ones included, as far as receipts know them: the sealed addresses for storno notices, those of all orders of
 * the same number in the shop. Documents stay, and mails that were not sent are dropped.
 */
export async function forgetBuyerOf(tx: Queryable, orderIds: readonly string[]): Promise<void> {
  await tx.query(
    `update compliance.withdrawn_receipts w set details = null, sealed_email = null where w.details is not null and (w.order_id = any($1::uuid[])
       or exists (select from compliance.deleted_orders d where d.id = any($1::uuid[]) and d.shop_id = w.shop_id and d.internal_key = w.internal_key)
       or exists (select from compliance.orders o where o.id = any($1::uuid[]) and o.shop_id = w.shop_id
         and w.internal_key = compliance.internal_key(o.shop_id, o.internal_id)))`,
    [orderIds],
  );
  await tx.query(
    `with unsent as (delete from compliance.mails m using compliance.receipts r
       where m.dedup_key = r.mail_key and r.order_id = any($1::uuid[]) and m.sent_at is null returning m.dedup_key)
     update compliance.receipts r set mail_key = null from unsent where r.order_id = any($1::uuid[]) and r.mail_key = unsent.dedup_key`,
    [orderIds],
  );
}
