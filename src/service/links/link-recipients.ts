import { z } from 'zod';
import { createShopDto, type ShopDetails } from '../../contract/shop-dto.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { type AuditShop, readAuditShop } from '../audit/month/shop-of-month.ts';
import { recipientMark } from './link-token.ts';
import type { LinkDeps, MonthLink } from './month-link.ts';

const shops = rowsOf('compliance.shops', z.object({ id: z.string(), details: createShopDto }));

/** More shops of one address are not listed. */
export const MOST_SHOPS = 200;

/** The shop, if the link's recipient is one of its recipients now, and his address. */
export async function shopOfRecipient(deps: Pick<LinkDeps, 'pool' | 'sealing'>, { recipient }: MonthLink, shopId: string): Promise<Reached | null> {
  const shop = await readAuditShop(deps.pool, shopId);
  const address = shop === null ? undefined : recipientsOf(shop.details).find((one) => recipientMark(deps.sealing, one) === recipient);
  return shop === null || address === undefined ? null : { shop, address };
}

export type Reached = { shop: AuditShop; address: string };

/** The shops that send their months to this address, by name. */
export async function shopsOfAddress(db: Queryable, address: string): Promise<Pick<AuditShop, 'id' | 'details'>[]> {
  return readRows(db, shops, {
    text: `select id, details from compliance.shops s
     where lower(details ->> 'customerEmail') = $1
       or exists (select from jsonb_array_elements_text(s.details -> 'auditRecipientEmails') one where lower(one) = $1)
     order by details ->> 'name', id limit ${MOST_SHOPS}`,
    values: [address.toLowerCase()],
  });
}

function recipientsOf({ customerEmail, auditRecipientEmails }: ShopDetails): string[] {
  return [customerEmail, ...auditRecipientEmails];
}
