import { embeddedDialect } from '../../contract/dialect.ts';
import { quoted } from '../../contract/messages.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { HttpProblem } from '../../service/http/http-problem.ts';
import { listMails, retryMail, type ShopMail } from '../../service/mail/shop-mails.ts';
import { issueReceipt } from '../../service/receipts/issue-receipt.ts';
import { listReceipts, type ReceiptDto, readReceipt } from '../../service/receipts/read-receipts.ts';
import { Refusal } from '../refusal.ts';
import { noRecordedOrder, type ShopList } from './recorded-orders.ts';
import { knownShop } from './shops.ts';

/** The receipts of a shop of our compliance service, oldest first; `more`: further ones fit, beyond the limit. */
export async function receiptsOf({ pool }: { pool: Pool }, { shop, month, limit }: ShopList): Promise<{ receipts: ReceiptDto[]; more: boolean }> {
  const { id: shopId } = await knownShop({ pool }, shop);
  const { items, next } = await listReceipts(pool, { shopId, month, limit, dialect: embeddedDialect });
  return { receipts: items, more: next !== null };
}

/** A receipt and the document itself, an HTML page. */
export async function showReceipt({ pool }: { pool: Pool }, id: string): Promise<{ dto: ReceiptDto; html: string }> {
  const receipt = isUuid(id) ? await readReceipt(pool, { id, dialect: embeddedDialect }) : null;
  if (receipt === null) {
    throw new Refusal('missing', { english: `there is no receipt ${id}`, advice: '`orderbridge service receipts list` shows those of a shop' });
  }
  return receipt;
}

/** Issues the receipt of a recorded order and mails it to the buyer. Called again, it returns the same receipt and mails nothing. */
export async function issueReceiptOf({ pool }: { pool: Pool }, { orderId, by }: { orderId: string; by: Actor }): Promise<ReceiptDto> {
  if (!isUuid(orderId)) throw noRecordedOrder(orderId);
  return issueReceipt(pool, { caller: { dialect: embeddedDialect }, orderId, now: new Date(), said: { by } }).catch((thrown: unknown) => {
    throw thrown instanceof HttpProblem ? refused(thrown, orderId) : thrown;
  });
}

function refused(problem: HttpProblem, orderId: string): Refusal {
  return problem.code === 'not-found' ? noRecordedOrder(orderId) : new Refusal('conflict', quoted(problem.message));
}

/** `shop` absent: of all shops. */
export type MailsWanted = { shop?: string; state?: ShopMail['state']; limit: number };

/** The mails of our compliance service, the newest first; `more`: the limit may have left some out. */
export async function mailsOf({ pool }: { pool: Pool }, { shop, state, limit }: MailsWanted): Promise<{ mails: ShopMail[]; more: boolean }> {
  const shopId = shop === undefined ? undefined : (await knownShop({ pool }, shop)).id;
  const mails = await listMails(pool, { limit, ...(shopId !== undefined && { shopId }), ...(state !== undefined && { state }) });
  return { mails, more: mails.length === limit };
}

/** Makes a failed mail due again. */
export async function retryFailedMail({ pool }: { pool: Pool }, { id, by }: { id: string; by: Actor }): Promise<void> {
  if (isUuid(id) && (await retryMail(pool, { id, said: { by } }))) return;
  throw new Refusal('missing', { english: `there is no failed mail ${id}`, advice: '`orderbridge service mails list --state failed` shows them' });
}
