import { z } from 'zod';
import { createShopDto, type ShopDetails } from '../../../contract/shop-dto.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { shopTypeOf } from '../../law/shop-type.ts';
import type { AuditHeader } from '../audit-file.ts';
import type { SummaryShop } from '../summary/month-summary.ts';
import { earlierHeader, type HeaderOfMonth, headerIn, type ShopHeader, type ShopHeaders, shopHeader } from './shop-header.ts';

/** The details of a shop that its files need; a test shop has none. */
export type AuditShop = {
  id: string;
  details: ShopDetails;
  test: boolean;
  headers: ShopHeaders;
  /** The month in which it was created here ("2026-10"). */
  since: string;
};

const auditShops = rowsOf(
  'compliance.shops',
  z.object({
    id: z.string(),
    details: createShopDto,
    test: z.boolean(),
    eShopType: shopHeader.shape.eShopType,
    since: z.string(),
    earlier: z.array(earlierHeader),
  }),
);

/** Null if there is no such shop (any more). */
export async function readAuditShop(pool: Queryable, shopId: string): Promise<AuditShop | null> {
  const row = await readRow(pool, auditShops, {
    text: `select id, details, test, e_shop_type as "eShopType", to_char(created_at at time zone 'Europe/Sofia', 'YYYY-MM') as since, earlier_headers as earlier
     from compliance.shops where id = $1`,
    values: [shopId],
  });
  if (row === null) return null;
  const { eShopType, earlier, ...shop } = row;
  return { ...shop, headers: { now: shopHeader.parse({ ...shop.details, eShopType }), earlier } };
}

export function auditHeader(header: ShopHeader, { month, createdOn }: { month: string; createdOn: string }): AuditHeader {
  const { companyUic, nraNumber, domain, eShopType } = header;
  return { companyId: companyUic, shopNumber: nraNumber, domain, shopType: shopTypeOf(domain, eShopType), createdOn, month };
}

/** As a month's page names it. `filed`: the header of the version that is filed; null: none is. */
export function summaryShop({ id, details, headers }: AuditShop, month: string, filed: ShopHeader | null): SummaryShop {
  const { companyName, companyUic, nraNumber, domain, validFrom, validUntil }: HeaderOfMonth = filed ?? headerIn(headers, month);
  return {
    ...{ id, name: details.name, companyName, companyId: companyUic, shopNumber: nraNumber, domain },
    ...(validFrom !== undefined && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
  };
}
