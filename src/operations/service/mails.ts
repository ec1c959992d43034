import { isUuid } from '../../contract/uuid.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { type ListedMail, listMails, retryMail } from '../../service/mail/shop-mails.ts';
import { Refusal } from '../refusal.ts';
import { knownShop } from './shops.ts';

/** `shop` absent: of all shops. */
export type MailsWanted = { shop?: string; state?: ListedMail['state']; limit: number };

/** The mails of our compliance service, the newest first; `more`: the limit may have left some out. */
export async function mailsOf({ pool }: { pool: Pool }, { shop, state, limit }: MailsWanted): Promise<{ mails: ListedMail[]; more: boolean }> {
  const shopId = shop === undefined ? undefined : (await knownShop({ pool }, shop)).id;
  const mails = await listMails(pool, { limit, ...(shopId !== undefined && { shopId }), ...(state !== undefined && { state }) });
  return { mails, more: mails.length === limit };
}

/** Makes a failed mail due again. */
export async function retryFailedMail({ pool }: { pool: Pool }, { id, by }: { id: string; by: Actor }): Promise<void> {
  if (isUuid(id) && (await retryMail(pool, { id, now: new Date(), said: { by } }))) return;
  throw new Refusal(
    'missing',
    { en: `there is no failed mail ${id}`, bg: `няма неизпратено писмо ${id}` },
    { advice: { en: '`orderbridge service mails list --state failed` shows them', bg: '`orderbridge service mails list --state failed` ги показва' } },
  );
}
