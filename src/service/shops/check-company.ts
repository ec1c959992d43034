import { z } from 'zod';
import { createShopDto } from '../../contract/shop-dto.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { earlierHeader, type ShopHeaders, shopHeader } from '../audit/month/shop-of-month.ts';
import { HttpProblem, invalidBody, notFound } from '../http/http-problem.ts';
import type { Caller } from '../keys/api-keys.ts';
import { claimMerchant, lockMerchants } from '../keys/company-owners.ts';

const lockedShops = rowsOf(
  'compliance.shops',
  z.object({ id: z.string(), details: createShopDto, eShopType: shopHeader.shape.eShopType, earlier: z.array(earlierHeader) }),
);

/** A shop that is being changed. */
type LockedShop = Pick<z.output<typeof lockedShops.schema>, 'id' | 'details'> & { headers: ShopHeaders };

/** Waits for orders that are being recorded, and blocks later ones. Throws a `HttpProblem`: the owner has no such shop. */
export async function lockShop(tx: Queryable, { id, keyId }: { id: string; keyId: string }): Promise<LockedShop> {
  const shop = await readRow(tx, lockedShops, {
    text: `select id, details, e_shop_type as "eShopType", earlier_headers as earlier from compliance.shops where id = $1 and api_key_id = $2 for update`,
    values: [id, keyId],
  });
  if (shop === null) throw notFound('shop');
  const { eShopType, earlier, ...locked } = shop;
  return { ...locked, headers: { now: shopHeader.parse({ ...locked.details, eShopType }), earlier } };
}

type Company = { companyUic: string; now: Date };

/** Throws a `HttpProblem`: the company belongs to another owner of keys. That its number is in use here is all that is said of them. */
export async function mustOwnCompany(tx: Queryable, { keyId: ownerId, usedKeyId, isTest }: Caller, { companyUic, now }: Company): Promise<void> {
  if (isTest || (await claimMerchant(tx, { merchant: merchantOf(companyUic), ownerId, now }))) return;
  throw companyClaimed({ usedKeyId, companyUic });
}

export function companyClaimed({ usedKeyId, companyUic }: { usedKeyId: string; companyUic: string }): HttpProblem {
  const grant = `orderbridge service keys grant ${usedKeyId} ${companyUic}`;
  return new HttpProblem(
    'company-claimed',
    `this companyUic is in use by another owner of keys; if the company is yours, ask the operator of this service for \`${grant}\``,
  );
}

const HAS_SOLD = `
  select from compliance.shops s where s.id = $1
    and (exists (select from compliance.orders o where o.shop_id = s.id) or exists (select from compliance.deleted_orders d where d.shop_id = s.id))`;

/**
 * Sales stay with the company that made them: its files have its ЕИК and its document numbers. A branch is the same company. Returns the merchant that the
 * shop leaves; null: it stays.
 */
export async function checkCompany(tx: Queryable, caller: Caller, { before, companyUic, now }: Company & { before: LockedShop }): Promise<string | null> {
  const [from, to] = [merchantOf(before.details.companyUic), merchantOf(companyUic)];
  if (from === to) return null;
  await lockMerchants(tx, [from, to]);
  const { rowCount } = await tx.query(HAS_SOLD, [before.id]);
  if (rowCount !== 0)
    throw invalidBody([{ path: 'companyUic', message: 'can’t be changed to another company once orders were recorded: create a shop of that company' }]);
  await mustOwnCompany(tx, caller, { companyUic, now });
  return from;
}

/** Of an ЕИК the first nine digits, which branches share; an identifier of ten digits is a merchant of its own. `shops.merchant` says the same. */
export function merchantOf(companyUic: string): string {
  return companyUic.length === 10 ? companyUic : companyUic.slice(0, 9);
}

const used = rowsOf('compliance.shops', z.object({ merchant: z.string() }));

/** Which of these merchants have a shop here, an owner, or numbers; test shops aside. */
export async function companiesInUse(db: Queryable, merchants: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await readRows(db, used, {
    text: `select m.merchant from unnest($1::text[]) m(merchant) where exists (select from compliance.shops s where s.merchant = m.merchant)
      or exists (select from compliance.company_owners w where w.merchant = m.merchant) or exists (select from compliance.merchants n where n.id = m.merchant)`,
    values: [merchants],
  });
  return new Set(rows.map(({ merchant }) => merchant));
}
