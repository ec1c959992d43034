import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { typesWithReceipt } from '../../contract/order-dto.ts';
import { type Authorship, authorOf } from '../../platform/audit-log/audit-log.ts';
import { plainAddress } from '../../platform/mail/mail-address.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { unlessBroken } from '../../platform/seal.ts';
import { writeServiceActs } from '../audit-log/service-acts.ts';
import { HttpProblem, notFound } from '../http/http-problem.ts';
import type { Caller } from '../keys/api-keys.ts';
import { buyerColumn, openBuyer } from '../privacy/sealed-buyer.ts';
import type { KeyScope } from '../reading/read-shops.ts';
import { FROM_RECEIPTS, type ReceiptDto, receiptDto, STORED_RECEIPT, storedReceipt } from './read-receipts.ts';

/** The command line passes no key: then any order is found. */
type IssueRequest = { caller: KeyScope & Pick<Caller, 'dialect'>; orderId: string; now: Date; said?: Authorship };

/**
 * Issues the receipt of an order and puts the mail to its buyer into the outbox, in one transaction. Called again, it returns the same receipt
 * and mails nothing. Throws a `HttpProblem` for an order of another caller, or a payment type without receipt.
 */
export function issueReceipt(pool: Pool, { caller, orderId, now, said }: IssueRequest): Promise<ReceiptDto> {
  return inTransaction(pool, async (tx) => {
    const order = await lockOrder(tx, caller, orderId);
    const select = { text: `select ${STORED_RECEIPT} from ${FROM_RECEIPTS} where r.order_id = $1`, values: [orderId] };
    // Some were issued when more payment types had one: they stay.
    const earlier = await readRow(tx, issuedReceipts, select);
    if (earlier !== null) return receiptDto(earlier, caller.dialect);
    if (!typesWithReceipt.has(order.paymentType)) throw notDue(order.paymentType);
    const { isNew } = await readOne(tx, newReceipts, { text: 'select compliance.issue_receipt($1, $2, $3, $4) as "isNew"', values: idsOf(tx, order, now) });
    const issued = await readOne(tx, issuedReceipts, select);
    if (isNew && said !== undefined) await writeServiceActs(tx, [{ ...authorOf(said), act: 'receipt.issued', subject: issued.id, after: { orderId } }]);
    return receiptDto(issued, caller.dialect);
  });
}

type LockedOrder = z.output<typeof lockedOrders.schema>;

const issuedReceipts = rowsOf('compliance.receipts', storedReceipt);
const newReceipts = rowsOf('compliance.receipts', z.object({ isNew: z.boolean() }));
const lockedOrders = rowsOf('compliance.orders', z.object({ id: z.string(), paymentType: z.string(), customer: buyerColumn }));
const lockedShops = rowsOf('compliance.shops', z.object({ id: z.string() }));

// The shop before the order, the same order everywhere; neither can be deleted until the receipt is stored.
async function lockOrder(tx: Queryable, { keyId }: KeyScope, orderId: string): Promise<LockedOrder> {
  const shop = await readRow(tx, lockedShops, {
    text: `select s.id from compliance.shops s
     where s.id = (select o.shop_id from compliance.orders o where o.id = $1) and ($2::uuid is null or s.api_key_id = $2) for key share`,
    values: [orderId, keyId ?? null],
  });
  const order = await readRow(tx, lockedOrders, {
    text: `select o.id, o.payment_type as "paymentType", o.customer from compliance.orders o where o.id = $1 for key share`,
    values: [orderId],
  });
  if (shop === null || order === null) throw notFound('order');
  return order;
}

function idsOf(tx: Queryable, { id, customer }: LockedOrder, now: Date): unknown[] {
  // The document is due, though its buyer will never open.
  const { email } = unlessBroken(() => openBuyer(tx, id, customer)) ?? {};
  const isMailed = email !== undefined && plainAddress(email) !== null;
  return [id, randomUUIDv7(), isMailed ? randomUUIDv7() : null, now];
}

const WHY: Readonly<Record<string, string>> = {
  POSTAL_PAYMENT: 'the postal money order is its document',
  FISCAL_RECEIPT: 'the fiscal receipt is its document, and a second one would document the sale twice',
  BANK_TRANSFER: 'art. 52о is about payments by card and through payment services, and asks for none after a transfer',
};

function notDue(paymentType: string): HttpProblem {
  const why = WHY[paymentType] ?? 'art. 52о is about payments by card and through payment services';
  return new HttpProblem('receipt-not-due', `an order paid by ${paymentType} has no receipt: ${why}; nothing is left to do`);
}
