import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';

type Queryable = Pick<pg.Pool, 'query'>;

/** `ref` holds ids alone: what the mail says and to whom is looked up when it goes out. Mails with the same `dedupKey` are one. */
export type NewMail = { kind: string; ref: Record<string, string | number>; shopId: string; dedupKey: string; now: Date };

/** Puts a mail into the outbox, within the transaction of what it tells of. False if it is there already. */
export async function queueMail(tx: Queryable, { kind, ref, shopId, dedupKey, now }: NewMail): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into compliance.mails (id, kind, ref, dedup_key, shop_id, created_at, next_at) values ($1, $2, $3, $4, $5, $6, $6) on conflict (dedup_key) do nothing`,
    [randomUUID(), kind, ref, dedupKey, shopId, now],
  );
  return rowCount === 1;
}

/** Ids of mails whose time has come, the longest waiting first. */
export async function dueMails(pool: Queryable, { now, limit }: { now: Date; limit: number }): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select id from compliance.mails where next_at <= $1 order by next_at, id limit $2', [now, limit]);
  return rows.map(({ id }) => id);
}

/** For how long a try keeps others off; longer than a try may take. If its process dies, the mail is due again after that. */
const LEASE_MS = 10 * 60_000;

const claimedMail = z.object({
  id: z.string(),
  kind: z.string(),
  ref: z.record(z.string(), z.union([z.string(), z.number()])),
  attempts: z.int(),
  delivered: z.array(z.string()),
});

/** A mail that is ours to send now. */
export type ClaimedMail = z.output<typeof claimedMail>;

/** Null if it is not due: sent, failed, gone, or somebody else is at it. */
export async function claimMail(pool: Queryable, id: string, now: Date): Promise<ClaimedMail | null> {
  const { rows } = await pool.query(
    `update compliance.mails set next_at = $3, attempts = attempts + 1 where id = $1 and next_at <= $2 returning id, kind, ref, attempts, delivered`,
    [id, now, new Date(now.getTime() + LEASE_MS)],
  );
  return rows[0] === undefined ? null : claimedMail.parse(rows[0]);
}

/** How a try ended. `delivered` are all that have it by now, `error` is told without addresses. */
export type Settlement = { state: 'sent' | 'later' | 'failed'; now: Date; nextAt: Date | null; delivered: readonly string[]; error: string | null };

/** Keeps the end of a try, unless somebody else has tried since. */
export async function settleMail(pool: Queryable, { id, attempts }: ClaimedMail, { state, now, nextAt, delivered, error }: Settlement): Promise<void> {
  await pool.query(
    `update compliance.mails set next_at = $3, delivered = $4, last_error = $5, sent_at = case when $6 = 'sent' then $7::timestamptz end,
       failed_at = case when $6 = 'failed' then $7::timestamptz end
     where id = $1 and attempts = $2 and sent_at is null and failed_at is null`,
    [id, attempts, nextAt, delivered, error, state, now],
  );
}

/** Takes back a mail whose subject is gone. */
export async function dropMail(pool: Queryable, { id }: ClaimedMail): Promise<void> {
  await pool.query('delete from compliance.mails where id = $1', [id]);
}
