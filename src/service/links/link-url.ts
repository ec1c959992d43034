import { randomUUID } from 'node:crypto';
import { hashOf } from '../../platform/token-hash.ts';
import type { MonthKey } from '../audit/month/month-key.ts';
import { deadlineOf } from '../law/deadlines.ts';
import { addDays } from '../law/months.ts';
import { sofiaDay } from '../law/sofia-day.ts';
import { recipientMark, tokenOf } from './link-token.ts';
import { type LinkDeps, type MonthLink, newestLink } from './month-link.ts';

/** A link is good for so many days after the term of its month. */
const DAYS_AFTER_TERM = 60;
/** One that is mailed later is good for so many days. */
const LEAST_DAYS = 30;
/** One that ends sooner is not mailed again: a new one takes its place. */
const ENDS_SOON_DAYS = 7;

type Wanted = MonthKey & { address: string };

/** The link that the mails to a recipient bear for a month: the same in all of them while it lasts. Null if there is no such shop. */
export async function linkUrl(deps: LinkDeps, wanted: Wanted): Promise<string | null> {
  const id = await linkId(deps, { shopId: wanted.shopId, month: wanted.month, recipient: recipientMark(deps.sealing, wanted.address) });
  return id === null ? null : `${deps.publicUrl}/months/${tokenOf(deps.sealing, id)}`;
}

type Of = Pick<MonthLink, 'shopId' | 'month' | 'recipient'>;

async function linkId(deps: LinkDeps, of: Of): Promise<string | null> {
  const today = sofiaDay(deps.now().toISOString());
  const last = await newestLink(deps.pool, of);
  if (last !== null && last.expiresOn >= addDays(today, ENDS_SOON_DAYS)) return last.id;
  await insertLink(deps, { ...of, turn: (last?.turn ?? 0) + 1, expiresOn: lastDay(of.month, today) });
  // Another process may have made it at the same moment.
  return (await newestLink(deps.pool, of))?.id ?? null;
}

function lastDay(month: string, today: string): string {
  const usual = addDays(deadlineOf(month), DAYS_AFTER_TERM);
  const least = addDays(today, LEAST_DAYS);
  return usual > least ? usual : least;
}

async function insertLink({ pool, sealing, now }: LinkDeps, { shopId, month, recipient, turn, expiresOn }: Omit<MonthLink, 'id'>): Promise<void> {
  const id = randomUUID();
  await pool.query(
    `insert into compliance.month_links (id, token_hash, shop_id, month, recipient, turn, created_at, expires_on)
     select $1, $2, id, to_date($4, 'YYYY-MM'), $5, $6, $7, $8::date from compliance.shops where id = $3
     on conflict (shop_id, month, recipient, turn) do nothing`,
    [id, hashOf(tokenOf(sealing, id)), shopId, month, recipient, turn, now(), expiresOn],
  );
}
