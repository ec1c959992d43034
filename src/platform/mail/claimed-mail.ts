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
});

const claimedMails = rowsOf('mails', claimedMail);

/** A mail that this process has claimed to send. */
export type ClaimedMail = z.output<typeof claimedMail>;

/** Null if it is not due: sent, failed, deleted, or claimed by another process. */
export async function claimMail(db: Queryable, { schema }: Outbox, { id, now }: { id: string; now: Date }): Promise<ClaimedMail | null> {
  return readRow(db, claimedMails, {
    text: `update ${schema}.mails set next_at = $3, attempts = attempts + 1 where id = $1 and next_at <= $2 returning id, kind, ref, attempts, delivered`,
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
