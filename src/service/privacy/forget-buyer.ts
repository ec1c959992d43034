import { z } from 'zod';
import { type Authorship, authorOf } from '../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { writeServiceActs } from '../audit-log/service-acts.ts';

/** As the address answers; also for an order that had no buyer, or is deleted. */
export const forgottenDto = z.strictObject({ id: z.guid(), forgotten: z.literal(true) });

const foundRow = rowsOf('compliance.orders', z.object({ isRecorded: z.boolean(), hasBuyer: z.boolean() }));

// The lock waits for a receipt that is being issued to this buyer.
const STANDING = `select true as "isRecorded", o.customer is not null as "hasBuyer" from compliance.orders o join compliance.shops s on s.id = o.shop_id
  where o.id = $1 and s.api_key_id = $2 for update of o`;

const DELETED = `select false as "isRecorded", false as "hasBuyer" from compliance.deleted_orders d join compliance.shops s on s.id = d.shop_id
  where d.id = $1 and s.api_key_id = $2`;

/**
 * Forgets the buyer of an order: its details go from the order, and its receipt is mailed no more. Amounts, document and month stay. A repeat changes
 * nothing. Null if the key never had such an order.
 */
export function forgetBuyer(pool: Pool, { keyId, id, said }: { keyId: string; id: string; said: Authorship }): Promise<{ id: string; forgotten: true } | null> {
  return inTransaction(pool, async (tx) => {
    const order =
      (await readRow(tx, foundRow, { text: STANDING, values: [id, keyId] })) ?? (await readRow(tx, foundRow, { text: DELETED, values: [id, keyId] }));
    if (order === null) return null;
    if (order.isRecorded) await tx.query('update compliance.orders set customer = null where id = $1 and customer is not null', [id]);
    await forgetRecipient(tx, id);
    if (order.hasBuyer) await writeServiceActs(tx, [{ ...authorOf(said), act: 'order.buyer-forgotten', subject: id }]);
    return { id, forgotten: true };
  });
}

// Receipts and storno notices: no other mail goes to a buyer. Those of deleted orders of the same number are theirs, too.
const UNMARK = `update compliance.mails m set delivered = '{}' where m.delivered <> '{}' and (
    exists (select from compliance.receipts r where r.order_id = $1 and m.shop_id = r.shop_id and m.kind = 'receipt' and m.ref ->> 'receiptId' = r.id::text)
    or m.dedup_key = any (array(select 'receipt-storno/' || d.id from compliance.deleted_orders d
      where (d.shop_id, d.internal_key) in (
        select o.shop_id, compliance.internal_key(o.shop_id, o.internal_id) from compliance.orders o where o.id = $1
        union all select g.shop_id, g.internal_key from compliance.deleted_orders g where g.id = $1))))`;

/** A mail that waits is not sent; of one that was sent stays that it was, and no mark of the address. */
async function forgetRecipient(tx: Queryable, orderId: string): Promise<void> {
  await forgetBuyerOf(tx, [orderId]);
  await tx.query(UNMARK, [orderId]);
}

const PAGE = 500;

/** Forgets the buyers of orders that were recorded longer ago, a page at a time; nothing else of an order changes. Returns how many. */
export async function forgetOldBuyers(db: Queryable, { days, now }: { days: number; now: Date }): Promise<number> {
  const { rowCount } = await db.query(
    `update compliance.orders set customer = null where id in (
       select id from compliance.orders where customer is not null and created_at < $2::timestamptz - $1 * interval '1 day' order by created_at
       limit ${PAGE} for update skip locked)`,
    [days, now],
  );
  return rowCount ?? 0;
}

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
