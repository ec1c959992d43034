import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { typesWithoutReceipt } from '../../contract/enumerations.ts';
import { createShopDto } from '../../contract/shop-dto.ts';
import { plainAddress } from '../../platform/mail/mail-address.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { authorOf, type Said } from '../../platform/trail/trail.ts';
import { HttpProblem, notFound } from '../http/http-problem.ts';
import type { Caller } from '../keys/api-keys.ts';
import { queueMail } from '../mail/shop-mails.ts';
import type { KeyScope } from '../reading/read-shops.ts';
import { writeServiceActs } from '../trail/service-acts.ts';
import { type ReceiptDto, receiptDto } from './receipt-dto.ts';
import { type Seller, sellerOf } from './sale.ts';
import { FROM_RECEIPTS, mailKeyOf, STORED_RECEIPT, storedReceipt } from './stored-receipt.ts';

/** The command line passes no key: then any order is found. */
type IssueRequest = { caller: KeyScope & Pick<Caller, 'dialect'>; orderId: string; now: Date; said?: Said };

/**
 * Issues the receipt of an order and puts the mail to its buyer into the outbox, in one transaction. Called again, it returns the same receipt
 * and mails nothing. Throws a `HttpProblem` for an order of another caller, or a payment type without receipt.
 */
export function issueReceipt(pool: Pool, { caller, orderId, now, said }: IssueRequest): Promise<ReceiptDto> {
  return inTransaction(pool, async (tx) => {
    const order = await lockOrder(tx, caller, orderId);
    if (typesWithoutReceipt.has(order.paymentType)) throw notDue(order.paymentType);
    const isNew = await issueOnce(tx, order, now);
    const issued = await readOne(tx, issuedReceipts, { text: `select ${STORED_RECEIPT} from ${FROM_RECEIPTS} where r.order_id = $1`, values: [orderId] });
    if (isNew && said !== undefined) await writeServiceActs(tx, [{ ...authorOf(said), act: 'receipt.issued', subject: issued.id, after: { orderId } }]);
    return receiptDto(issued, caller.dialect);
  });
}

type LockedOrder = { id: string; shopId: string; paymentType: string; email: string | null; seller: Seller };

const issuedReceipts = rowsOf('compliance.receipts', storedReceipt);
const lockedOrders = rowsOf('compliance.orders', z.object({ id: z.string(), paymentType: z.string(), email: z.string().nullable() }));
const lockedShops = rowsOf('compliance.shops', z.object({ id: z.string(), details: createShopDto }));

// The shop before the order, the same order everywhere; neither can be deleted until the receipt is stored.
async function lockOrder(tx: Queryable, { keyId }: KeyScope, orderId: string): Promise<LockedOrder> {
  const shop = await readRow(tx, lockedShops, {
    text: `select s.id, s.details from compliance.shops s
     where s.id = (select o.shop_id from compliance.orders o where o.id = $1) and ($2::uuid is null or s.api_key_id = $2) for key share`,
    values: [orderId, keyId ?? null],
  });
  const order = await readRow(tx, lockedOrders, {
    text: `select o.id, o.payment_type as "paymentType", o.customer ->> 'email' as email from compliance.orders o where o.id = $1 for key share`,
    values: [orderId],
  });
  if (shop === null || order === null) throw notFound('order');
  return { ...order, shopId: shop.id, seller: sellerOf(shop.details) };
}

async function issueOnce(tx: Queryable, { id: orderId, shopId, email, seller }: LockedOrder, now: Date): Promise<boolean> {
  const id = randomUUID();
  const { rowCount } = await tx.query(
    'insert into compliance.receipts (id, order_id, shop_id, seller, created_at) values ($1, $2, $3, $4, $5) on conflict (order_id) do nothing',
    [id, orderId, shopId, seller, now],
  );
  if (rowCount === 0) return false;
  if (email !== null && plainAddress(email) !== null) await queueMail(tx, { kind: 'receipt', ref: { receiptId: id }, shopId, dedupKey: mailKeyOf(id), now });
  return true;
}

function notDue(paymentType: string): HttpProblem {
  return new HttpProblem('receipt-not-due', `an order paid by ${paymentType} has no receipt: the postal money order is its document; nothing is left to do`);
}
