import { refuseMails, wayMailboxes } from '../../bridge/ledger/invitations/mailbox-store.ts';
import type { StoredOnboarding } from '../../bridge/ledger/invitations/onboarding-store.ts';
import { mailboxMark } from '../../platform/mail/mail-address.ts';
import { carrySaid, type MailboxState, mailboxState, sayOfMailbox } from '../../platform/mail/mailboxes.ts';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { sayOfShop, shopMailboxes } from '../../service/mail/recipients.ts';

type Way = Pick<StoredOnboarding, 'id' | 'shopId'>;

/** Whether mails about the store of a way may go to the mailbox of this mark; what it said of its shop’s months counts, too. */
export async function mailboxSays({ pool }: { pool: Queryable }, { id, shopId }: Way, mailbox: Buffer): Promise<MailboxState> {
  const said = await mailboxState(pool, wayMailboxes, { ownerId: id, mailbox });
  const atService = shopId !== null && (await hasService(pool)) ? await mailboxState(pool, shopMailboxes, { ownerId: shopId, mailbox }) : null;
  const isRefused = said.isRefused || atService?.isRefused === true;
  return { ...said, isRefused, isOpen: said.isConfirmed && !isRefused };
}

/** Anyone who reads the mailbox of this mark says that the store is not theirs, or that it is: mails stop or go on. False: a moment ago they said otherwise. */
export async function sayWhose({ pool }: { pool: Pool }, { id, shopId }: Way, said: { mailbox: Buffer; isRefused: boolean }): Promise<boolean> {
  const isSaid = await refuseMails(pool, { ownerId: id, ...said });
  // Mails of its months, too.
  if (shopId !== null && (await hasService(pool)))
    await sayOfShop(pool, { shopId, mailbox: said.mailbox, says: said.isRefused ? 'refused' : 'resumed', by: `merchant:${id}` });
  return isSaid;
}

/** Mails about the store may go to the mailbox of this mark, and those of its shop's months. */
export async function confirmMailbox(db: Queryable, { id, shopId }: Way, mailbox: Buffer): Promise<void> {
  await sayOfMailbox(db, wayMailboxes, { ownerId: id, mailbox, says: 'confirmed' });
  if (shopId !== null) await carryToShop(db, { id, shopId });
}

/** What mailboxes said on a way holds for the shop of our service to which it leads. */
export async function carryToShop(db: Queryable, { id, shopId }: { id: string; shopId: string }): Promise<void> {
  if (await hasService(db)) await carrySaid(db, { ...wayMailboxes, ownerId: id }, { ...shopMailboxes, ownerId: shopId });
}

/** What mailboxes said on a way holds for another way to the same store or shop. */
export function carryToWay(db: Queryable, from: string, to: string): Promise<void> {
  return carrySaid(db, { ...wayMailboxes, ownerId: from }, { ...wayMailboxes, ownerId: to });
}

/** The same; and what this mailbox said of the shop that the way had, which another one may not have. */
export async function carryMailbox({ pool }: { pool: Queryable }, from: Way, { to, address }: { to: string; address: string }): Promise<void> {
  await carryToWay(pool, from.id, to);
  const mailbox = mailboxMark(address);
  if ((await mailboxSays({ pool }, from, mailbox)).isRefused) await sayOfMailbox(pool, wayMailboxes, { ownerId: to, mailbox, says: 'refused' });
}
