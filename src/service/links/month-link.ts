import { z } from 'zod';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { hashOf } from '../../platform/token-hash.ts';
import type { Digest } from './link-token.ts';

export type LinkDeps = {
  pool: Pool;
  sealing: Digest;
  now: () => Date;
  /** Where the pages are published, without a trailing slash. */
  publicUrl: string;
};

const monthLink = z.object({
  id: z.string(),
  shopId: z.string(),
  /** "2026-10" */
  month: z.string(),
  /** The mark of the address that it was sent to. */
  recipient: z.string(),
  turn: z.int(),
  /** The last day of its use: "2027-01-15". */
  expiresOn: z.string(),
});

/** A link that was mailed. It opens the pages for one address: that of its recipient. */
export type MonthLink = z.output<typeof monthLink>;

const links = rowsOf('compliance.month_links', monthLink);

const SELECT = `select id, shop_id as "shopId", to_char(month, 'YYYY-MM') as month, recipient, turn, expires_on::text as "expiresOn" from compliance.month_links`;

/** Null if no link has this token, whatever it looks like. */
export async function findLink(db: Queryable, token: string): Promise<MonthLink | null> {
  return readRow(db, links, { name: 'compliance.find-link', text: `${SELECT} where token_hash = $1`, values: [hashOf(token)] });
}

export async function readLink(db: Queryable, id: string): Promise<MonthLink | null> {
  return readRow(db, links, { text: `${SELECT} where id = $1`, values: [id] });
}

/** The newest link of a recipient, shop and month. */
export async function newestLink(db: Queryable, { shopId, month, recipient }: Pick<MonthLink, 'shopId' | 'month' | 'recipient'>): Promise<MonthLink | null> {
  return readRow(db, links, {
    text: `${SELECT} where shop_id = $1 and month = to_date($2, 'YYYY-MM') and recipient = $3 order by turn desc limit 1`,
    values: [shopId, month, recipient],
  });
}
