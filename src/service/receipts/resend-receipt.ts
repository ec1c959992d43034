import { z } from 'zod';
import { type Authorship, authorOf } from '../../platform/audit-log/audit-log.ts';
import { plainAddress } from '../../platform/mail/mail-address.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { writeServiceActs } from '../audit-log/service-acts.ts';
import { HttpProblem, notFound } from '../http/http-problem.ts';
import type { Caller } from '../keys/api-keys.ts';
import { queueMail } from '../mail/shop-mails.ts';
import { buyerColumn, openBuyerOrNull } from '../privacy/sealed-buyer.ts';
import type { KeyScope } from '../reading/read-shops.ts';
import { FROM_RECEIPTS, type ReceiptDto, receiptDto, STORED_RECEIPT, storedReceipt } from './read-receipts.ts';

/** A buyer's mailbox is not to be filled by a caller in a loop. */
const LEAST_APART_MS = 10 * 60_000;
const MOST_A_DAY = 5;
const DAY_MS = 24 * 3_600_000;

type ResendRequest = { caller: KeyScope & Pick<Caller, 'dialect'>; id: string; now: Date; said: Authorship };

const locked = rowsOf(
  'compliance.receipts',
  z.object({ shopId: z.string(), orderId: z.string(), customer: buyerColumn, waits: z.boolean(), resent: z.array(z.string()) }),
);
const receipts = rowsOf('compliance.receipts', storedReceipt);

/**
 * Mails a receipt to its buyer again; while its last mail still waits to be sent, that one is all. Throws a `HttpProblem`: another caller's receipt, no
 * usable address, or too often.
 */
export function resendReceipt(pool: Pool, { caller, id, now, said }: ResendRequest): Promise<ReceiptDto> {
  return inTransaction(pool, async (tx) => {
    const receipt = await lockReceipt(tx, caller, id);
    const { email } = openBuyerOrNull(tx, receipt.orderId, receipt.customer) ?? {};
    if (email === undefined || plainAddress(email) === null)
      throw new HttpProblem(
        'receipt-without-address',
        'the order has no usable e-mail address of its buyer, or it was erased or does not open: print the receipt for them',
      );
    if (!receipt.waits) {
      const lately = receipt.resent.filter((time) => now.getTime() - Date.parse(time) < DAY_MS);
      refuseTooOften(lately, now);
      const mailKey = `receipt/${id}/${now.getTime()}`;
      await queueMail(tx, { kind: 'receipt', ref: { receiptId: id }, shopId: receipt.shopId, dedupKey: mailKey, now });
      await tx.query('update compliance.receipts set mail_key = $2, resent = $3 where id = $1', [id, mailKey, [...lately, now.toISOString()]]);
      await writeServiceActs(tx, [{ ...authorOf(said), act: 'receipt.resent', subject: id }]);
    }
    const stored = await readOne(tx, receipts, { text: `select ${STORED_RECEIPT} from ${FROM_RECEIPTS} where r.id = $1`, values: [id] });
    return receiptDto(stored, caller.dialect);
  });
}

async function lockReceipt(tx: Queryable, { keyId }: KeyScope, id: string) {
  const receipt = await readRow(tx, locked, {
    text: `select r.shop_id as "shopId", o.id as "orderId", o.customer, to_json(r.resent) as resent,
       exists (select from compliance.mails m where m.dedup_key = r.mail_key and m.sent_at is null and m.failed_at is null) as waits
     from compliance.receipts r join compliance.orders o on o.id = r.order_id join compliance.shops s on s.id = r.shop_id
     where r.id = $1 and ($2::uuid is null or s.api_key_id = $2) for update of r`,
    values: [id, keyId ?? null],
  });
  if (receipt === null) throw notFound('receipt');
  return receipt;
}

function refuseTooOften(lately: readonly string[], now: Date): void {
  const last = Math.max(0, ...lately.map((time) => Date.parse(time)));
  if (lately.length < MOST_A_DAY && now.getTime() - last >= LEAST_APART_MS) return;
  throw new HttpProblem('receipt-just-sent', `it was mailed again lately: once in ${LEAST_APART_MS / 60_000} minutes, and ${MOST_A_DAY} times a day at most`);
}
