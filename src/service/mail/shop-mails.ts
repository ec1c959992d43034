import { type ListedMail as Listed, listMails as list, type NewMail, type Outbox, queueMail as queue, retryMail as retry } from '../../platform/mail/outbox.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { authorOf, type Said } from '../../platform/trail/trail.ts';
import { writeServiceActs } from '../trail/service-acts.ts';

/** The service's outbox: mails of receipts and of months' files, each owned by a shop. */
export const shopMails: Outbox = { schema: 'compliance', owner: 'shop' };

type NewShopMail = Omit<NewMail, 'ownerId'> & { shopId: string };

/** Puts a mail of a shop into the outbox, in the transaction of the change that it reports. False if it is there already. */
export function queueMail(tx: Queryable, { shopId, ...mail }: NewShopMail): Promise<boolean> {
  return queue(tx, shopMails, { ...mail, ownerId: shopId });
}

/** A mail of the outbox, without its content and recipients. */
export type ListedMail = Omit<Listed, 'ownerId'> & { shopId: string };

type Filter = { shopId?: string; state?: ListedMail['state']; limit: number };

/** Mails for people to look at, newest first. */
export async function listMails(db: Queryable, { shopId, state, limit }: Filter): Promise<ListedMail[]> {
  const mails = await list(db, shopMails, { ownerId: shopId, state, limit });
  return mails.map(({ id, kind, ownerId, ...rest }) => ({ id, kind, shopId: ownerId, ...rest }));
}

/** Makes a failed mail due again, with all its attempts. False if there is no failed mail with this id. */
export function retryMail(pool: Pool, { id, now, said }: { id: string; now: Date; said: Said }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const retried = await retry(tx, shopMails, { id, now });
    if (retried) await writeServiceActs(tx, [{ ...authorOf(said), act: 'mail.retried', subject: id }]);
    return retried;
  });
}
