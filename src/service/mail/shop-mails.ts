import { type Authorship, authorOf } from '../../platform/audit-log/audit-log.ts';
import { type ListedMail as Listed, listMails as list, type NewMail, type Outbox, queueMail as queue, retryMail as retry } from '../../platform/mail/outbox.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { writeServiceActs } from '../audit-log/service-acts.ts';

/** The service's outbox: mails of receipts and of months' files, each owned by a shop; those to an accountant of several shops by none. */
export const shopMails: Outbox = { schema: 'compliance', owner: 'shop', job: 'mail' };

/** Who sends a merchant the mails of their shop: the name is theirs, the address the operator's. */
export function senderOf(shop: string): string {
  return `${shop} via orderbridge`;
}

/** Puts a mail of a shop into the outbox, in the transaction of the change that it reports. False if it is there already. */
export function queueMail(tx: Queryable, { shopId, ...mail }: Omit<NewMail, 'ownerId'> & { shopId: string | null }): Promise<boolean> {
  return queue(tx, shopMails, { ...mail, ownerId: shopId });
}

/** A mail of the outbox, without its content and recipients. */
export type ShopMail = Omit<Listed, 'ownerId'> & { shopId: string | null };

/** Mails for people to look at, newest first. */
export async function listMails(db: Queryable, { shopId, state, limit }: { shopId?: string; state?: ShopMail['state']; limit: number }): Promise<ShopMail[]> {
  const mails = await list(db, shopMails, { ownerId: shopId, state, limit });
  return mails.map(({ id, kind, ownerId, ...rest }) => ({ id, kind, shopId: ownerId, ...rest }));
}

/** Makes a failed mail due again, with all its attempts. False if there is no failed mail with this id. */
export function retryMail(pool: Pool, { id, said }: { id: string; said: Authorship }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const retried = await retry(tx, shopMails, id);
    if (retried) await writeServiceActs(tx, [{ ...authorOf(said), act: 'mail.retried', subject: id }]);
    return retried;
  });
}

const PAGE = 500;

// That a month can't be made is told once, as long as it is not over: its row says so.
const IS_OPEN = `m.kind = 'audit-month' and exists (
  select from compliance.audit_months a where a.shop_id = m.shop_id and a.month = to_date(m.ref ->> 'month', 'YYYY-MM') and a.state not in ('filed', 'nothing'))`;

const DROP = `with old as (
    select m.id from compliance.mails m where coalesce(m.sent_at, m.failed_at) < $2::timestamptz - $1 * interval '1 day' and not (${IS_OPEN})
    order by coalesce(m.sent_at, m.failed_at) limit ${PAGE} for update skip locked),
  dropped as (delete from compliance.mails m using old where m.id = old.id returning m.kind, m.dedup_key, case when m.sent_at is null then 'failed' else 'sent' end as state),
  kept as (update compliance.receipts r set mail_state = d.state from dropped d where d.kind = 'receipt' and r.mail_key = d.dedup_key)
  select count(*) from dropped`;

// No month is made so late, and no code is good for so long.
const DROP_MARKS = `with codes as (delete from compliance.mail_codes where made_at < $1::timestamptz - interval '1 day')
  delete from compliance.accountant_mails where month < $1::timestamptz - interval '3 years'`;

/** Drops mails that were sent or given up longer ago, a page at a time; receipts keep whether theirs was sent. And what is known of recipients by hashes alone. */
export async function dropOldMails(db: Queryable, { days, now }: { days: number; now: Date }): Promise<void> {
  await db.query(DROP, [days, now]);
  await db.query(DROP_MARKS, [now]);
}
