import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createShopDto } from '../../contract/shop-dto.ts';
import { IS_CLOSED, mailboxMark, normalAddress } from '../../platform/mail/mailboxes.ts';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../platform/seal.ts';
import { hashOf } from '../../platform/token-hash.ts';
import type { MonthKey } from '../audit/month/month-state.ts';
import { type AuditShop, readAuditShop } from '../audit/month/shop-of-month.ts';
import { addDays, sofiaDay } from '../law/calendar.ts';
import { deadlineOf } from '../law/deadlines.ts';
import { recipientState, recipientsOf } from '../mail/recipients.ts';

export type LinkDeps = {
  pool: Pool;
  sealing: Digester;
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

async function newestLink(db: Queryable, { shopId, month, recipient }: Pick<MonthLink, 'shopId' | 'month' | 'recipient'>): Promise<MonthLink | null> {
  return readRow(db, links, {
    text: `${SELECT} where shop_id = $1 and month = to_date($2, 'YYYY-MM') and recipient = $3 order by turn desc limit 1`,
    values: [shopId, month, recipient],
  });
}

/** A link is good for so many days after the term of its month. */
const DAYS_AFTER_TERM = 60;
/** One that is mailed later is good for so many days. */
const LEAST_DAYS = 30;
/** One that ends sooner is not mailed again: a new one takes its place. */
const ENDS_SOON_DAYS = 7;

/** The link that the mails to a recipient bear for a month: the same in all of them while it lasts. Null if there is no such shop. */
export async function linkUrl(deps: LinkDeps, wanted: MonthKey & { address: string }): Promise<string | null> {
  const id = await linkId(deps, { shopId: wanted.shopId, month: wanted.month, recipient: recipientMark(deps.sealing, wanted.address) });
  return id === null ? null : `${deps.publicUrl}/months/${tokenOf(deps.sealing, id)}`;
}

async function linkId(deps: LinkDeps, of: Pick<MonthLink, 'shopId' | 'month' | 'recipient'>): Promise<string | null> {
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

const shops = rowsOf('compliance.shops', z.object({ id: z.string(), details: createShopDto }));

/** More shops of one address are not listed. */
export const MOST_SHOPS = 200;

/** `isOpened`: they gave a code that was mailed to them, which opens all companies. */
export type OpeningLink = MonthLink & { isOpened?: boolean };

/** The shop, if the link opens its company and the link's recipient is one of its recipients now, and their address. */
export async function shopOfRecipient(deps: Pick<LinkDeps, 'pool' | 'sealing'>, link: OpeningLink, shopId: string): Promise<Reached | null> {
  const { recipient, isOpened = false } = link;
  const shop = isOpened || (await isOfCompany(deps.pool, link, shopId)) ? await readAuditShop(deps.pool, shopId) : null;
  const address = shop === null ? undefined : recipientsOf(shop.details).find((one) => recipientMark(deps.sealing, one) === recipient);
  if (shop === null || address === undefined) return null;
  // Of the link's own shop they can still say that it is theirs.
  const isOpen = shopId === link.shopId || (await recipientState(deps.pool, { shopId, address })).isOpen;
  return isOpen ? { shop, address } : null;
}

type Reached = { shop: AuditShop; address: string };

const companyRows = rowsOf('compliance.shops', z.object({ same: z.boolean() }));

/** A link may be forwarded, or lie in a mailbox that others read: it opens one company; all of a person's companies take a code. */
async function isOfCompany(db: Queryable, link: MonthLink, shopId: string): Promise<boolean> {
  const text = 'select exists (select from compliance.shops s join compliance.shops o using (merchant) where s.id = $1 and o.id = $2) as same';
  return (await readOne(db, companyRows, { text, values: [shopId, link.shopId] })).same;
}

/** The shops of a company, or of all, that send their months to this address, by name; not those of which it said, or did not confirm, so. `shopId`: one of the company. */
export async function shopsOfAddress(
  db: Queryable,
  { address, shopId }: { address: string; shopId: string | null },
): Promise<Pick<AuditShop, 'id' | 'details'>[]> {
  return readRows(db, shops, {
    text: `select id, details from compliance.shops s
     where ($2::uuid is null or merchant = (select merchant from compliance.shops where id = $2)) and $1 = any(addresses)
       and not exists (select from compliance.mailboxes where shop_id = s.id and mailbox = $3 and ${IS_CLOSED})
     order by details ->> 'name', id limit ${MOST_SHOPS}`,
    values: [normalAddress(address), shopId, mailboxMark(db, address)],
  });
}

/** Makes what only those can make who have the key. */
export type Digester = Pick<Sealer, 'digest'>;

/**
 * The token of a link: 132 bits that follow from its random id and the key alone, so that a repeated mail bears the same link although only a hash of it
 * is stored.
 */
function tokenOf({ digest }: Digester, linkId: string): string {
  return digest(`month link ${linkId}`);
}

/** By which a recipient is known without their address. */
function recipientMark({ digest }: Digester, address: string): string {
  return digest(`month recipient ${normalAddress(address)}`);
}

/** Proves that a form is of the page behind a link. */
export function formToken({ digest }: Digester, linkId: string): string {
  return digest(`month form ${linkId}`);
}
