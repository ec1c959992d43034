import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createShopDto, deleteShopDto, updateShopDto } from '../../contract/shop-dto.ts';
import { isoText } from '../../platform/postgres/iso-text.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { HttpProblem, invalidBody, notFound } from '../http/http-problem.ts';
import { parseBody } from '../http/parse-body.ts';
import type { Caller } from '../keys/api-keys.ts';
import { neighbourWarnings } from './neighbour-warnings.ts';
import { type ShopDto, shopDto, shopRow } from './shop-dto.ts';
import { changeWarnings } from './shop-warnings.ts';

export type DeleteShopResponseDto = { id: string; name: string; deletedAt: string; deletedOrders: number };

type ShopRequest = { caller: Caller; body: unknown; now: Date };
type OneShopRequest = ShopRequest & { id: string };

const DOCUMENT_DIGITS = 10;

const changedShops = rowsOf('compliance.shops', shopRow.extend({ before: createShopDto }));
const begunRows = rowsOf('compliance.merchants', z.object({ next: z.string() }));
const deletedRows = rowsOf('compliance.shops', z.object({ deletedOrders: z.int(), deleted: z.boolean() }));

/** Throws a `HttpProblem`: invalid body, or a second shop of a key that may have only one. */
export async function createShop(pool: Pool, { caller, body, now }: ShopRequest): Promise<ShopDto> {
  const details = parseBody(createShopDto, body);
  const id = randomUUID();
  const { rowCount } = await pool.query(
    `insert into compliance.shops (id, api_key_id, sole_of, details, created_at, updated_at) values ($1, $2, $3, $4, $5, $5) on conflict (sole_of) do nothing`,
    [id, caller.keyId, caller.multiShop ? null : caller.keyId, details, now],
  );
  if (rowCount === 0)
    throw new HttpProblem('one-shop-only', 'this key has a shop already; update that one, delete it first, or ask for a key for several shops');
  const others = await neighbourWarnings(pool, { ...details, id, startNamed: namesStart(body) });
  const shop = shopDto({ id, details, createdAt: now.toISOString(), updatedAt: now.toISOString(), eShopType: null });
  return { ...shop, warnings: [...shop.warnings, ...others] };
}

function namesStart(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'receiptStartNumber' in body;
}

/** Throws a `HttpProblem`: invalid body, a shop of another caller, another `receiptStartNumber` after numbers have begun, another company. */
export async function updateShop(pool: Pool, { caller, id, body, now }: OneShopRequest): Promise<ShopDto> {
  const patch = parseBody(updateShopDto, body);
  return inTransaction(pool, async (tx) => {
    if (patch.companyUic !== undefined) await checkCompany(tx, [id, caller.keyId, patch.companyUic]);
    if (patch.receiptStartNumber !== undefined) await checkStart(tx, [id, caller.keyId, patch.companyUic ?? null, patch.receiptStartNumber]);
    const row = await readRow(tx, changedShops, {
      text: `with before as (select id, details from compliance.shops where id = $1 and api_key_id = $2 for update)
       update compliance.shops s set details = s.details || $3, updated_at = $4 from before where s.id = before.id
       returning s.id, s.details, s.e_shop_type as "eShopType", before.details as before,
         ${isoText('s.created_at')} as "createdAt", ${isoText('s.updated_at')} as "updatedAt"`,
      values: [id, caller.keyId, patch, now],
    });
    if (row === null) throw notFound('shop');
    const shop = shopDto(row);
    return { ...shop, warnings: [...shop.warnings, ...changeWarnings(row.before, row.details)] };
  });
}

// Waits for orders that are being recorded, and blocks later ones.
const LOCK = 'select from compliance.shops where id = $1 and api_key_id = $2 for update';

const HAS_SOLD = `
  select from compliance.shops s where s.id = $1 and s.api_key_id = $2 and compliance.merchant_of(s.details ->> 'companyUic') <> compliance.merchant_of($3)
    and (exists (select from compliance.orders o where o.shop_id = s.id) or exists (select from compliance.deleted_orders d where d.shop_id = s.id))`;

/** Sales stay with the company that made them: its files have its ЕИК and its document numbers. A branch is the same company. */
async function checkCompany(tx: Queryable, values: readonly [id: string, keyId: string, companyUic: string]): Promise<void> {
  await tx.query(LOCK, values.slice(0, 2));
  const { rowCount } = await tx.query(HAS_SOLD, [...values]);
  if (rowCount === 0) return;
  throw invalidBody([{ path: 'companyUic', message: 'can’t be changed to another company once orders were recorded: create a shop of that company' }]);
}

const BEGUN = `
  select lpad(m.next_number::text, ${DOCUMENT_DIGITS}, '0') as next
  from compliance.shops s join compliance.merchants m on m.id = compliance.merchant_of(coalesce($3, s.details ->> 'companyUic'))
  where s.id = $1 and s.api_key_id = $2 and (s.details ->> 'receiptStartNumber')::bigint <> $4`;

/** The first number of a sequence can't change once it is used; sending the same value again is fine. */
async function checkStart(tx: Queryable, values: readonly [id: string, keyId: string, companyUic: string | null, start: number]): Promise<void> {
  await tx.query(LOCK, values.slice(0, 2));
  const begun = await readRow(tx, begunRows, { text: BEGUN, values: [...values] });
  if (begun === null) return;
  const message = `can’t be changed: the merchant’s document numbers have begun, the next is ${begun.next}`;
  throw invalidBody([{ path: 'receiptStartNumber', message }]);
}

/** Deletes the shop with its orders if `body` names it. Throws a `HttpProblem`: invalid body, another caller's shop, or another name. */
export async function deleteShop(pool: Pool, { caller, id, body, now }: OneShopRequest): Promise<DeleteShopResponseDto> {
  const { name } = parseBody(deleteShopDto, body);
  const row = await readRow(pool, deletedRows, {
    text: `with mine as (select id, details ->> 'name' = $3 as named from compliance.shops where id = $1 and api_key_id = $2 for update),
       counted as (select count(*)::int as n from compliance.orders where shop_id = $1),
       gone as (delete from compliance.shops where id in (select id from mine where named) returning id)
     select counted.n as "deletedOrders", exists (select from gone) as deleted from mine, counted`,
    values: [id, caller.keyId, name],
  });
  if (row === null) throw notFound('shop');
  if (!row.deleted) throw new HttpProblem('shop-name-mismatch', 'to delete a shop with all its orders, send its exact name as name; nothing was deleted');
  return { id, name, deletedAt: now.toISOString(), deletedOrders: row.deletedOrders };
}
