import { z } from 'zod';
import { type Queryable, sealerOf } from '../postgres/postgres.ts';
import { readRow, rowsOf } from '../postgres/read-rows.ts';
import { domainOf } from './mail-address.ts';

/** As mailboxes are compared, however they were typed, here and in SQL: `lower` of PostgreSQL may know no Cyrillic. */
export function normalAddress(address: string): string {
  const lower = address.trim().toLowerCase();
  const at = lower.lastIndexOf('@') + 1;
  return `${lower.slice(0, at)}${domainOf(lower) || lower.slice(at)}`;
}

/** By which anyone who has the keys knows a mailbox without its address. */
export function mailboxMark(db: Queryable, address: string): Buffer {
  return sealerOf(db).mark(`mailbox ${normalAddress(address)}`);
}

/**
 * A table `mailboxes` beside an outbox: what anyone who reads a mailbox said of mails about an owner. A row in which nothing is said, or that is missing where
 * `isKnown` is false, is of a mailbox that somebody typed whose word proves nothing: no mails go there until it is confirmed.
 */
export type Mailboxes = { schema: string; owner: string; isKnown: boolean };

/** `mailbox`: its mark. */
export type MailboxKey = { ownerId: string; mailbox: Buffer };

/** `isRefused`: anyone who reads it said that the owner is not theirs. `isOpen`: mails may go there. */
export type MailboxState = { isConfirmed: boolean; isRefused: boolean; isOpen: boolean };

/** SQL: a row of which mails do not go there. */
export const IS_CLOSED = '(refused_at is not null or confirmed_at is null)';

const rows = rowsOf('mailboxes', z.object({ isConfirmed: z.boolean(), isRefused: z.boolean() }));

export async function mailboxState(db: Queryable, { schema, owner, isKnown }: Mailboxes, { ownerId, mailbox }: MailboxKey): Promise<MailboxState> {
  const text = `select confirmed_at is not null as "isConfirmed", refused_at is not null as "isRefused" from ${schema}.mailboxes where ${owner}_id = $1 and mailbox = $2`;
  const said = (await readRow(db, rows, { text, values: [ownerId, mailbox] })) ?? { isConfirmed: isKnown, isRefused: false };
  return { ...said, isOpen: said.isConfirmed && !said.isRefused };
}

/** confirmed: mails may come, which takes no refusal back. refused: the owner is not theirs. resumed: it is, so that mails come again. */
export type MailboxSaying = 'confirmed' | 'refused' | 'resumed';

/** Mails stop or go on, and nothing else changes. False: it is so already, or they said otherwise within a minute, or there is no such owner. */
export async function sayOfMailbox(
  db: Queryable,
  { schema, owner }: Mailboxes,
  { ownerId, mailbox, says }: MailboxKey & { says: MailboxSaying },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into ${schema}.mailboxes as m (${owner}_id, mailbox, confirmed_at, refused_at, changed_at)
       select id, $2, case when $3::text <> 'refused' then now() end, case when $3 = 'refused' then now() end, case when $3 = 'confirmed' then '-infinity' else now() end
       from ${schema}.${owner}s where id = $1
     on conflict (${owner}_id, mailbox) do update set confirmed_at = coalesce(m.confirmed_at, excluded.confirmed_at),
       refused_at = case when $3 = 'confirmed' then m.refused_at else excluded.refused_at end, changed_at = greatest(m.changed_at, excluded.changed_at)
     where case when $3 = 'confirmed' then m.confirmed_at is null else (m.refused_at is null) = ($3 = 'refused') and m.changed_at < now() - interval '1 minute' end`,
    [ownerId, mailbox, says],
  );
  return rowCount === 1;
}

/** What mailboxes said of one owner holds for another one, too; of two that differ, what was said last. */
export async function carrySaid(db: Queryable, from: Mailboxes & { ownerId: string }, to: Mailboxes & { ownerId: string }): Promise<void> {
  await db.query(
    `insert into ${to.schema}.mailboxes as m (${to.owner}_id, mailbox, confirmed_at, refused_at, changed_at)
       select o.id, s.mailbox, s.confirmed_at, s.refused_at, s.changed_at from ${from.schema}.mailboxes s join ${to.schema}.${to.owner}s o on o.id = $2
       where s.${from.owner}_id = $1
     on conflict (${to.owner}_id, mailbox) do update set confirmed_at = coalesce(m.confirmed_at, excluded.confirmed_at),
       refused_at = case when excluded.changed_at > m.changed_at then excluded.refused_at else m.refused_at end,
       changed_at = greatest(excluded.changed_at, m.changed_at)`,
    [from.ownerId, to.ownerId],
  );
}
