import { z } from 'zod';
import type { ShopDetails } from '../../contract/shop-dto.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import { type Mailboxes, type MailboxSaying, mailboxMark, mailboxState, normalAddress, sayOfMailbox } from '../../platform/mail/mailboxes.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { isoText, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { writeServiceActs } from '../audit-log/service-acts.ts';
import { queueMail } from './shop-mails.ts';

/** What was said of mails of a shop: one that the shop names gets them, unless it has a row that says otherwise. */
export const shopMailboxes: Mailboxes = { schema: 'compliance', owner: 'shop', isKnown: true };

/** The mail that asks a recipient whether they want a shop's months. */
export const RECIPIENT_MAIL = 'recipient';

type Recipients = Pick<ShopDetails, 'customerEmail' | 'auditRecipientEmails'>;

/** To whom a shop's mails go: itself, then the other recipients of its months. */
export function recipientsOf({ customerEmail, auditRecipientEmails }: Recipients): string[] {
  return [customerEmail, ...auditRecipientEmails];
}

/** The same, as `compliance.shops` has them. */
export function addressesOf(details: Recipients): string[] {
  return [...new Set(recipientsOf(details).map(normalAddress))];
}

export function marksOf(db: Queryable, addresses: readonly string[]): Buffer[] {
  return addresses.map((one) => mailboxMark(db, one));
}

/** `asked`: of them the one that is asked elsewhere whether it wants mails about this shop. */
type TypedRecipients = { shopId: string; addresses: readonly string[]; asked: string | null };

/**
 * Somebody typed these addresses of whom nobody knows whether they read them: until they confirm it, each gets one mail that asks, once the shop has recorded
 * something. One that was asked long ago is asked anew; what one has said holds.
 */
export async function keepTypedRecipients(db: Queryable, { shopId, addresses, asked }: TypedRecipients): Promise<void> {
  await db.query(
    `insert into compliance.mailboxes as m (shop_id, mailbox, asked_at)
       select distinct s.id, mailbox, case when mailbox = $3 then now() end from compliance.shops s cross join unnest($2::bytea[]) mailbox where s.id = $1
     on conflict (shop_id, mailbox) do update set asked_at = null where m.confirmed_at is null and m.asked_at < now() - interval '30 days'`,
    [shopId, marksOf(db, addresses), asked === null ? null : mailboxMark(db, asked)],
  );
}

const due = rowsOf('compliance.mailboxes', z.object({ shopId: z.string(), mark: z.string() }));

// A mailbox gets one of these mails at a time, whoever typed it for whatever shop, until it was answered or a month has passed.
const ASK = `update compliance.mailboxes r set asked_at = $1 from (
    select distinct on (mailbox) shop_id, mailbox from compliance.mailboxes h where coalesce(h.asked_at, h.confirmed_at, h.refused_at) is null
      and exists (select from compliance.orders o where o.shop_id = h.shop_id)
      and not exists (select from compliance.mailboxes o where o.mailbox = h.mailbox and coalesce(o.confirmed_at, o.refused_at) is null and o.asked_at > $1::timestamptz - interval '30 days')
    order by mailbox, shop_id limit 100) due
  where (r.shop_id, r.mailbox) = (due.shop_id, due.mailbox) returning r.shop_id as "shopId", encode(r.mailbox, 'hex') as mark`;

/** Queues the mails that ask recipients. */
export function askRecipients(pool: Pool, now: Date): Promise<void> {
  return inTransaction(pool, async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('ask recipients', 0))`);
    for (const ref of await readRows(tx, due, { text: ASK, values: [now] })) {
      const dedupKey = `${RECIPIENT_MAIL}/${ref.shopId}/${ref.mark}/${now.toISOString()}`;
      await queueMail(tx, { kind: RECIPIENT_MAIL, ref, shopId: ref.shopId, dedupKey, now });
    }
  });
}

/** May mails of the shop go to this address, and why not? */
export function recipientState(db: Queryable, { shopId, address }: { shopId: string; address: string }) {
  return mailboxState(db, shopMailboxes, { ownerId: shopId, mailbox: mailboxMark(db, address) });
}

/** Those to whom mails may go. */
export async function openRecipients(db: Queryable, { id: shopId, details }: { id: string; details: Recipients }): Promise<string[]> {
  const addresses = recipientsOf(details);
  const open = await Promise.all(addresses.map(async (address) => (await recipientState(db, { shopId, address })).isOpen));
  return addresses.filter((_, at) => open[at]);
}

type Saying = { shopId: string; mailbox: Buffer; says: MailboxSaying; by: Actor };

/** What a recipient says, by its mark. False: it is so already, or they said otherwise within a minute. */
export function sayOfShop(pool: Pool, { shopId, mailbox, says, by }: Saying): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const isSaid = await sayOfMailbox(tx, shopMailboxes, { ownerId: shopId, mailbox, says });
    if (isSaid) await writeServiceActs(tx, [{ who: by, act: `recipient.${says}`, subject: shopId }]);
    return isSaid;
  });
}

const refusedRows = rowsOf('compliance.mailboxes', z.object({ shopId: z.string(), name: z.string(), since: z.string() }));

/** Shops of which a recipient that they name still said that it is not theirs. */
export function refusedShops(db: Queryable): Promise<z.output<typeof refusedRows.schema>[]> {
  return readRows(db, refusedRows, {
    text: `select s.id as "shopId", s.details ->> 'name' as name, ${isoText('m.refused_at')} as since from compliance.mailboxes m join compliance.shops s on s.id = m.shop_id
      where m.refused_at is not null and m.mailbox = any(s.marks) order by m.refused_at limit 1000`,
  });
}
