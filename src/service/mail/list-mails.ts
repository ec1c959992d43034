import type pg from 'pg';
import { z } from 'zod';
import { isoText } from '../../platform/postgres/iso-text.ts';

const listedMail = z.object({
  id: z.string(),
  kind: z.string(),
  shopId: z.string(),
  state: z.enum(['waiting', 'sent', 'failed']),
  createdAt: z.string(),
  attempts: z.int(),
  nextAt: z.string().nullable(),
  sentAt: z.string().nullable(),
  failedAt: z.string().nullable(),
  lastError: z.string().nullable(),
});

/** A mail of the outbox, without its content and recipients. `lastError` of a sent one tells of recipients who did not get it. */
export type ListedMail = z.output<typeof listedMail>;

type Filter = { shopId?: string; state?: ListedMail['state']; limit: number };

const STATE = `case when sent_at is not null then 'sent' when failed_at is not null then 'failed' else 'waiting' end`;
const SELECT = `
  select id, kind, shop_id as "shopId", ${STATE} as state, ${isoText('created_at')} as "createdAt", attempts, ${isoText('next_at')} as "nextAt",
    ${isoText('sent_at')} as "sentAt", ${isoText('failed_at')} as "failedAt", last_error as "lastError"
  from compliance.mails where ($1::uuid is null or shop_id = $1) and ($2::text is null or ${STATE} = $2) order by mails.created_at desc, id limit $3`;

/** Mails for people to look at, newest first. */
export async function listMails(pool: pg.Pool, { shopId, state, limit }: Filter): Promise<ListedMail[]> {
  const { rows } = await pool.query(SELECT, [shopId ?? null, state ?? null, limit]);
  return z.array(listedMail).parse(rows);
}

/** Makes a failed mail due again, with all its tries. False if there is no failed mail with this id. */
export async function retryMail(pool: pg.Pool, { id, now }: { id: string; now: Date }): Promise<boolean> {
  const { rowCount } = await pool.query('update compliance.mails set failed_at = null, attempts = 0, next_at = $2 where id = $1 and failed_at is not null', [
    id,
    now,
  ]);
  return rowCount === 1;
}
