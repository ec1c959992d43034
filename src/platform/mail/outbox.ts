import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { jobsOf } from '../jobs/job-store.ts';
import { type Queryable, sealerOf } from '../postgres/postgres.ts';
import { isoText, readRows, rowsOf } from '../postgres/read-rows.ts';
import type { SealedPlace } from '../seal.ts';
import type { Message } from './mail-message.ts';
import { normalAddress } from './mailboxes.ts';

/**
 * A table `mails` in a schema, which makes it. A mail may have an owner, and is deleted with it: `shop` means that the column `shop_id` is the owner.
 * `job`: the kind of the jobs that send its mails; their key is the mail's id.
 */
export type Outbox = { schema: string; owner: string; job: string };

/** The ids that a mail is made from when it is sent. */
export type MailRef = Readonly<Record<string, string | number>>;

/** Whom a mail is written for. `light`: it must go without attachments, because a mail server refused it for its size. */
export type Reader = { address: string; light: boolean };

/** A mail to be written: its recipients, and how it is written for one of them; null if its subject is deleted meanwhile. */
export type Letter = { to: readonly string[]; write(reader: Reader): Promise<Message | null> };

/** Finds the mail of a kind by its row's ids; null if its subject is deleted. Called for each try; content is made by `write` alone. */
export type MailBuilder = (ref: MailRef) => Promise<Letter | null>;

/** Called for faults that only a log can explain, never with an address. */
export type MailReport = {
  notMade(err: unknown, mail: { id: string; kind: string }): void;
  notHandedOver(err: unknown, mail: { id: string; kind: string }): void;
};

/** How a try ended; `why` has no addresses. `dropped`: its subject is deleted. */
export type SendResult = { outcome: 'dropped'; kind: string } | { outcome: 'sent' | 'failed' | 'later'; kind: string; attempts: number; why: string | null };

/**
 * `ref` holds ids alone: content and recipients are looked up when it is sent. Only an address that is kept nowhere else is its `mailbox`, sealed there, which
 * goes once the mail is sent or given up. Mails with the same `dedupKey` are one. `without`: recipients who get another in its place.
 */
export type NewMail = { kind: string; ref: MailRef; mailbox?: string; ownerId: string | null; dedupKey: string; now: Date; without?: readonly string[] };

/** Puts a mail into the outbox, within the transaction of its subject. False if it is there already. */
export async function queueMail(tx: Queryable, { schema, owner, job }: Outbox, mail: NewMail): Promise<boolean> {
  const { kind, ref, mailbox, ownerId, dedupKey, now, without = [] } = mail;
  const id = randomUUIDv7();
  const kept = mailbox === undefined ? ref : { ...ref, mailbox: sealerOf(tx).seal(mailbox, mailboxPlace(schema, id)) };
  const { rowCount } = await tx.query(
    `with mail as (insert into ${schema}.mails (id, kind, ref, dedup_key, ${owner}_id, created_at, delivered) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (dedup_key) do nothing returning id) ${jobsOf(job, 'select id::text as key from mail')}`,
    [id, kind, kept, dedupKey, ownerId, now, without.map((address) => markOf(tx, id, address))],
  );
  return rowCount === 1;
}

/** Where the address is sealed that a mail alone has. */
export function mailboxPlace(schema: string, id: string): SealedPlace {
  return { table: `${schema}.mails`, column: 'ref', id };
}

/** Which recipient of a mail it is, without keeping their address. */
export function markOf(db: Queryable, id: string, address: string): string {
  return sealerOf(db)
    .mark(`mail ${id} ${normalAddress(address)}`)
    .toString('hex', 0, 16);
}

const listedMail = z.object({
  id: z.string(),
  kind: z.string(),
  ownerId: z.string().nullable(),
  state: z.enum(['waiting', 'sent', 'failed']),
  createdAt: z.string(),
  attempts: z.int(),
  nextAt: z.string().nullable(),
  sentAt: z.string().nullable(),
  failedAt: z.string().nullable(),
  lastError: z.string().nullable(),
});

/** A mail of the outbox, without its content and recipients. `lastError` of a sent one says what it went without. */
export type ListedMail = z.output<typeof listedMail>;

type Filter = { ownerId?: string | undefined; state?: ListedMail['state'] | undefined; limit: number };

const listedMails = rowsOf('mails', listedMail);

/** Of mails: they are neither sent nor given up. */
export const WAITS = 'sent_at is null and failed_at is null';
const STATE = `case when sent_at is not null then 'sent' when failed_at is not null then 'failed' else 'waiting' end`;

/** Mails for people to look at, newest first. */
export async function listMails(db: Queryable, { schema, owner, job }: Outbox, { ownerId, state, limit }: Filter): Promise<ListedMail[]> {
  return readRows(db, listedMails, {
    text: `select m.id, m.kind, ${owner}_id as "ownerId", ${STATE} as state, ${isoText('created_at')} as "createdAt", coalesce(j.attempts + light::int, m.attempts) as attempts,
       ${isoText('j.due_at')} as "nextAt", ${isoText('sent_at')} as "sentAt", ${isoText('failed_at')} as "failedAt", coalesce(j.error, last_error) as "lastError"
     from ${schema}.mails m left join jobs j on j.kind = '${job}' and j.key = m.id::text and ${WAITS} where ${ownerId === undefined ? '$1::text is null' : `${owner}_id = $1`} and ($2::text is null or ${STATE} = $2)
     order by created_at desc, m.id limit $3`,
    values: [ownerId ?? null, state ?? null, limit],
  });
}

/** Makes a failed mail due again, with all its tries and attachments. False if there is no failed mail with this id. */
export async function retryMail(db: Queryable, { schema, job }: Outbox, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `with mail as (update ${schema}.mails set failed_at = null, attempts = 0, last_error = null, light = false where id = $1 and failed_at is not null returning id)
     ${jobsOf(job, 'select id::text as key from mail')}`,
    [id],
  );
  return rowCount === 1;
}
