import { z } from 'zod';
import { mailboxMark } from '../../../platform/mail/mail-address.ts';
import { type Mailboxes, type MailboxKey, sayOfMailbox } from '../../../platform/mail/mailboxes.ts';
import type { MailCodes } from '../../../platform/mail/mailed-codes.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { sealedParts, withParts } from './sealed-parts.ts';

/** What was said of mails about the store of a merchant’s way. */
export const wayMailboxes: Mailboxes = { schema: 'bridge', owner: 'onboarding', isKnown: false };

/** What opens the files, the answers and the mailbox of a store. */
export const wayCodes: MailCodes = { schema: 'bridge', owner: 'onboarding' };

/** No mails about the store go to this mailbox any more, or some may again. False: it is so already, or was changed within a minute. */
export function refuseMails(pool: Pool, { ownerId, mailbox, isRefused }: MailboxKey & { isRefused: boolean }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const isSaid = await sayOfMailbox(tx, wayMailboxes, { ownerId, mailbox, says: isRefused ? 'refused' : 'resumed' });
    if (isSaid) await writeBridgeActs(tx, [{ who: `merchant:${ownerId}`, act: isRefused ? 'mails.refused' : 'mails.resumed', subject: ownerId }]);
    return isSaid;
  });
}

const refusedRows = rowsOf('mailboxes', z.object({ ...sealedParts, shopId: z.string().nullable(), mailbox: z.instanceof(Buffer), since: z.string() }));

/** Ways whose mailbox said that the store is not theirs, as long as they have that mailbox. */
export async function refusedMailboxes(db: Queryable): Promise<{ onboarding: string; shopId: string | null; since: string }[]> {
  const rows = await readRows(db, withParts(db, refusedRows), {
    text: `select o.id, o.email, o.mail_to as "mailTo", null as progress, o.shop_id as "shopId", m.mailbox, ${isoText('m.refused_at')} as since
      from mailboxes m join onboardings o on o.id = m.onboarding_id where m.refused_at is not null and o.revoked_at is null order by m.refused_at limit 1000`,
  });
  return rows.flatMap(({ id: onboarding, email, mailTo, shopId, mailbox, since }) =>
    mailboxMark(email ?? mailTo ?? '').equals(mailbox) ? [{ onboarding, shopId, since }] : [],
  );
}
