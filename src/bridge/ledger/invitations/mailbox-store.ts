import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { hashOf } from '../../../platform/token-hash.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { findOnboarding, type StoredOnboarding } from './onboarding-store.ts';

/** A mailbox of a merchant, by its hash. */
type MailboxKey = { onboarding: string; mailbox: Buffer };

const stateRows = rowsOf('merchant_mailboxes', z.object({ isConfirmed: z.boolean(), isRefused: z.boolean() }));

/** `isRefused`: anyone who reads it said that the store is not theirs. */
export type MailboxState = z.output<typeof stateRows.schema>;

/** What was said by the mailbox. */
export async function mailboxState(db: Queryable, { onboarding, mailbox }: MailboxKey): Promise<MailboxState> {
  const text = `select confirmed_at is not null as "isConfirmed", refused_at is not null as "isRefused" from merchant_mailboxes
    where onboarding = $1 and mailbox = $2`;
  return (await readRow(db, stateRows, { text, values: [onboarding, mailbox] })) ?? { isConfirmed: false, isRefused: false };
}

/** Mails about the store may go to this mailbox. */
export async function confirmMailbox(db: Queryable, { onboarding, mailbox }: MailboxKey): Promise<void> {
  await db.query(
    `insert into merchant_mailboxes (onboarding, mailbox, confirmed_at) values ($1, $2, now())
     on conflict (onboarding, mailbox) do update set confirmed_at = coalesce(merchant_mailboxes.confirmed_at, now())`,
    [onboarding, mailbox],
  );
}

/** No mails about the store go to this mailbox any more, or some may again. Nothing else changes. False: it is so already, or was changed within a minute. */
export function refuseMails(pool: Pool, { onboarding, mailbox, isRefused }: MailboxKey & { isRefused: boolean }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    await tx.query('insert into merchant_mailboxes (onboarding, mailbox) values ($1, $2) on conflict do nothing', [onboarding, mailbox]);
    const { rowCount } = await tx.query(
      `update merchant_mailboxes set refused_at = case when $3 then now() end, changed_at = now()
       where onboarding = $1 and mailbox = $2 and (refused_at is not null) <> $3 and changed_at < now() - interval '1 minute'`,
      [onboarding, mailbox, isRefused],
    );
    const act = isRefused ? 'mails.refused' : 'mails.resumed';
    if (rowCount === 1) await writeBridgeActs(tx, [{ who: `merchant:${onboarding}`, act, subject: onboarding }]);
    return rowCount === 1;
  });
}

const refusedRows = rowsOf(
  'merchant_mailboxes',
  z.object({ onboarding: z.string(), shopId: z.string().nullable(), mailbox: z.instanceof(Buffer), since: z.string() }),
);

/** Ways whose mailbox said that the store is not theirs, as long as they have that mailbox. */
export async function refusedMailboxes(db: Queryable): Promise<Omit<z.output<typeof refusedRows.schema>, 'mailbox'>[]> {
  const rows = await readRows(db, refusedRows, {
    text: `select m.onboarding, o.shop_id as "shopId", m.mailbox, ${isoText('m.refused_at')} as since from merchant_mailboxes m join onboardings o on o.id = m.onboarding
      where m.refused_at is not null and o.revoked_at is null order by m.refused_at limit 1000`,
  });
  const known = await Promise.all(rows.map(async ({ onboarding, mailbox }) => isMailboxOf(await findOnboarding(db, onboarding), mailbox)));
  return rows.flatMap(({ mailbox: _mark, ...row }, at) => (known[at] === true ? [row] : []));
}

function isMailboxOf(onboarding: Pick<StoredOnboarding, 'email' | 'mailTo'> | null, mailbox: Buffer): boolean {
  return hashOf((onboarding?.email ?? onboarding?.mailTo ?? '').toLowerCase()).equals(mailbox);
}
