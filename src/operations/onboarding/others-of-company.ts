import { waysOfCompany } from '../../bridge/ledger/company-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hasService } from '../../service/database/has-service.ts';
import { readShop } from '../../service/reading/read-shops.ts';
import { companiesInUse } from '../../service/shops/companies-in-use.ts';
import { merchantOf } from '../../service/shops/merchant-of.ts';

/**
 * Who else has a company, for the operator alone: the mailboxes of other merchants, or the ids of their invitations; `compliance` if nobody was invited, but
 * our service has it.
 */
export async function othersOf(pool: Pool, { id, email, company }: { id: string; email: string | null; company: string }): Promise<string[]> {
  const ways = await waysOfCompany(pool, { company, except: id });
  const others = ways.filter((one) => email === null || one.email?.toLowerCase() !== email.toLowerCase());
  if (ways.length > 0) return [...new Set(others.map((one) => one.email ?? one.id))];
  return (await hasService(pool)) && (await companiesInUse(pool, [company])).has(company) ? ['compliance'] : [];
}

/** The company of a shop of our own service; null: it is another one's. */
export async function companyOfShop(pool: Pool, shopId: string | null): Promise<string | null> {
  const shop = shopId === null || !(await hasService(pool)) ? null : await readShop(pool, { id: shopId });
  return shop === null ? null : merchantOf(shop.companyUic);
}
