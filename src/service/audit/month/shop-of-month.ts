import { z } from 'zod';
import { createShopDto, type ShopDetails } from '../../../contract/shop-dto.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { AuditHeader } from '../audit-file.ts';
import type { SummaryShop } from '../summary/month-summary.ts';

/** The details of a shop that its files need. */
export type AuditShop = { id: string; details: ShopDetails };

const auditShops = rowsOf('compliance.shops', z.object({ id: z.string(), details: createShopDto }));

/** Null if there is no such shop (any more). */
export async function readAuditShop(pool: Queryable, shopId: string): Promise<AuditShop | null> {
  return readRow(pool, auditShops, { text: 'select id, details from compliance.shops where id = $1', values: [shopId] });
}

/** A domain with a path is the address of a shop inside a platform: such a shop has no own domain. */
function shopTypeOf(domain: string): 1 | 2 {
  return /^(https?:\/\/)?[^/]+\/[^/]/i.test(domain) ? 2 : 1;
}

export function auditHeader({ details }: AuditShop, { month, createdOn }: { month: string; createdOn: string }): AuditHeader {
  const { companyUic, nraNumber, domain } = details;
  return { companyId: companyUic, shopNumber: nraNumber, domain, shopType: shopTypeOf(domain), createdOn, month };
}

export function summaryShop({ id, details }: AuditShop): SummaryShop {
  const { name, companyName, companyUic, nraNumber, domain } = details;
  return { id, name, companyName, companyId: companyUic, shopNumber: nraNumber, domain };
}
