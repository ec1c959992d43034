import { createHash, randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../postgres/read-rows.ts';
import type { Outbox } from './outbox.ts';

const dueRows = rowsOf('mails', z.object({ id: z.string() }));

/** Ids of mails that are due, the longest waiting first. */
export async function dueMails(db: Queryable, { schema }: Outbox, { now, limit }: { now: Date; limit: number }): Promise<string[]> {
  const rows = await readRows(db, dueRows, { text: `select id from ${schema}.mails where next_at <= $1 order by next_at, id limit $2`, values: [now, limit] });
  return rows.map(({ id }) => id);
}

/** The lease of one try, longer than a try may take. If its process dies, the mail is due again after it. */
const LEASE_MS = 10 * 60_000;

const claimedMail = z.object({
  id: z.string(),
  kind: z.string(),
  ref: z.record(z.string(), z.union([z.string(), z.number()])),
  attempts: z.int(),
  delivered: z.array(z.string()),
  recipient: z.string().nullable(),
  light: z.boolean(),
});

const claimedMails = rowsOf('mails', claimedMail);

/** A mail that this process has claimed to send. */
export type ClaimedMail = z.output<typeof claimedMail>;

/** Null if it is not due: sent, failed, deleted, or claimed by another process. Until it is known how the try ended, it has no error. */
export async function claimMail(db: Queryable, { schema }: Outbox, { id, now }: { id: string; now: Date }): Promise<ClaimedMail | null> {
  return readRow(db, claimedMails, {
    text: `update ${schema}.mails set next_at = $3, attempts = attempts + 1, last_error = null where id = $1 and next_at <= $2
     returning id, kind, ref, attempts, delivered, recipient, light`,
    values: [id, now, new Date(now.getTime() + LEASE_MS)],
  });
}

/** How a try of a claimed mail ended. `delivered`: all addresses that have it by now; `error` names no address. */
export type TriedMail = {
  mail: ClaimedMail;
  state: 'sent' | 'later' | 'failed';
  now: Date;
  nextAt: Date | null;
  delivered: readonly string[];
  error: string | null;
};

/** Records how a try ended, unless another process has tried since. */
export async function noteTry(db: Queryable, { schema }: Outbox, { mail, state, now, nextAt, delivered, error }: TriedMail): Promise<void> {
  await db.query(
    `update ${schema}.mails set next_at = $3, delivered = $4, last_error = $5, sent_at = case when $6 = 'sent' then $7::timestamptz end,
       failed_at = case when $6 = 'failed' then $7::timestamptz end
     where id = $1 and attempts = $2 and sent_at is null and failed_at is null`,
    [mail.id, mail.attempts, nextAt, delivered, error, state, now],
  );
}

/** Deletes a mail whose subject is deleted. */
export async function dropMail(db: Queryable, { schema }: Outbox, { id }: ClaimedMail): Promise<void> {
  await db.query(`delete from ${schema}.mails where id = $1`, [id]);
}

/** Notes that the mail server refused the mail for its size: from now on it goes without attachments, and at once. */
export async function noteLight(
  db: Queryable,
  { schema }: Outbox,
  { mail, now, error }: { mail: ClaimedMail; now: Date; error: string | null },
): Promise<void> {
  await db.query(`update ${schema}.mails set light = true, next_at = $3, last_error = $4 where id = $1 and attempts = $2 and next_at is not null`, [
    mail.id,
    mail.attempts,
    now,
    error,
  ]);
}

/** Which recipient it is, without keeping his address. */
export function markOf(id: string, address: string): string {
  return createHash('sha256').update(`${id}/${address.toLowerCase()}`).digest('hex').slice(0, 32);
}

/**
 * Makes one mail of each recipient: this row is that of the first from now on, the others get rows of their own, due at once. False if another process
 * has claimed the mail meanwhile.
 */
export async function splitMail(
  db: Queryable,
  { schema, owner }: Outbox,
  { mail, to, now }: { mail: ClaimedMail; to: readonly string[]; now: Date },
): Promise<boolean> {
  const [first = '', ...others] = to;
  const rows = others.map((address) => {
    const id = randomUUIDv7();
    return { id, recipient: markOf(id, address) };
  });
  const { rowCount } = await db.query(
    `with mine as (update ${schema}.mails set recipient = $3 where id = $1 and attempts = $2 and recipient is null and next_at is not null returning *),
       others as (insert into ${schema}.mails (id, kind, ref, dedup_key, ${owner}_id, created_at, next_at, recipient)
         select o.id, mine.kind, mine.ref, mine.dedup_key || '#' || o.id, mine.${owner}_id, mine.created_at, $5, o.recipient
         from mine cross join jsonb_to_recordset($4::jsonb) as o(id uuid, recipient text))
     select from mine`,
    [mail.id, mail.attempts, markOf(mail.id, first), JSON.stringify(rows), now],
  );
  return rowCount === 1;
}
