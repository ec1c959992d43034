import { z } from 'zod';
import { createShopDto, type ShopDetails } from '../../../contract/shop-dto.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { type ShopType, shopTypeOf } from '../../law/shop-type.ts';
import type { AuditHeader } from '../audit-file.ts';
import type { SummaryShop } from '../summary/month-summary.ts';

/** The details of a shop that its files need; a test shop has none. */
export type AuditShop = {
  id: string;
  details: ShopDetails;
  test: boolean;
  eShopType: ShopType | null;
  /** The month in which it was created here ("2026-10"). */
  since: string;
};

const auditShops = rowsOf(
  'compliance.shops',
  z.object({ id: z.string(), details: createShopDto, test: z.boolean(), eShopType: z.union([z.literal(1), z.literal(2)]).nullable(), since: z.string() }),
);

/** Null if there is no such shop (any more). */
export async function readAuditShop(pool: Queryable, shopId: string): Promise<AuditShop | null> {
  return readRow(pool, auditShops, {
    text: `select id, details, test, e_shop_type as "eShopType", to_char(created_at at time zone 'Europe/Sofia', 'YYYY-MM') as since
     from compliance.shops where id = $1`,
    values: [shopId],
  });
}

export function auditHeader({ details, eShopType }: AuditShop, { month, createdOn }: { month: string; createdOn: string }): AuditHeader {
  const { companyUic, nraNumber, domain } = details;
  return { companyId: companyUic, shopNumber: nraNumber, domain, shopType: shopTypeOf(domain, eShopType), createdOn, month };
}

export function summaryShop({ id, details }: AuditShop): SummaryShop {
  const { name, companyName, companyUic, nraNumber, domain } = details;
  return { id, name, companyName, companyId: companyUic, shopNumber: nraNumber, domain };
}
