import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { FieldError } from '../../contract/schema-errors.ts';
import { createShopDto, deleteShopDto, updateShopDto } from '../../contract/shop-dto.ts';
import { isoText } from '../../platform/postgres/iso-text.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';
import { keepLeftOut } from '../audit/month/left-out.ts';
import { earlierAfter } from '../audit/month/shop-header.ts';
import { HttpProblem, invalidBody } from '../http/http-problem.ts';
import { parseBody } from '../http/parse-body.ts';
import type { Caller } from '../keys/api-keys.ts';
import { releaseMerchant } from '../keys/company-owners.ts';
import { monthOf } from '../law/months.ts';
import { sofiaDay } from '../law/sofia-day.ts';
import { checkCompany, lockShop, mustOwnCompany } from './check-company.ts';
import { merchantOf } from './merchant-of.ts';
import { checkFirstStart, moveStart } from './move-start.ts';
import { neighbourWarnings } from './neighbour-warnings.ts';
import { type ShopDto, shopDto, shopRow } from './shop-dto.ts';
import { changeWarnings } from './shop-warnings.ts';

export type DeleteShopResponseDto = { id: string; name: string; deletedAt: string; deletedOrders: number; warnings: FieldError[] };

type ShopRequest = { caller: Caller; body: unknown; now: Date };
type OneShopRequest = ShopRequest & { id: string };

const shopRows = rowsOf('compliance.shops', shopRow);
const deletedRows = rowsOf('compliance.shops', z.object({ deletedOrders: z.int(), unfiled: z.array(z.string()) }));

/** In a transaction. Throws a `HttpProblem`: invalid body, a second shop of a key that may have only one, another owner's company. */
export async function createShop(tx: Queryable, { caller, body, now }: ShopRequest): Promise<ShopDto> {
  const details = parseBody(createShopDto, body);
  const id = randomUUID();
  const { keyId, multiShop, isTest: test } = caller;
  const { rowCount } = await tx.query(
    `insert into compliance.shops (id, api_key_id, sole_of, details, created_at, updated_at, test) values ($1, $2, $3, $4, $5, $5, $6)
     on conflict (sole_of) do nothing`,
    [id, keyId, multiShop ? null : keyId, details, now, test],
  );
  if (rowCount === 0)
    throw new HttpProblem('one-shop-only', 'this key has a shop already; update that one, delete it first, or ask for a key for several shops');
  await mustOwnCompany(tx, caller, { companyUic: details.companyUic, now });
  await checkFirstStart(tx, { shopId: id, start: details.receiptStartNumber });
  const others = test ? [] : await neighbourWarnings(tx, { ...details, id, startNamed: namesStart(body) });
  const shop = shopDto({ id, details, test, createdAt: now.toISOString(), updatedAt: now.toISOString(), eShopType: null });
  return { ...shop, warnings: [...shop.warnings, ...others] };
}

function namesStart(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'receiptStartNumber' in body;
}

/** Throws a `HttpProblem`: invalid body, a shop of another caller, a `receiptStartNumber` that can't be the next number, another company, or another owner's. */
export function updateShop(pool: Pool, { caller, id, body, now }: OneShopRequest): Promise<ShopDto> {
  const { validFrom = null, ...patch } = parseBody(updateShopDto, body);
  mustHaveBegun(validFrom, now);
  const { companyUic, receiptStartNumber: start } = patch;
  return inTransaction(pool, async (tx) => {
    const before = await lockShop(tx, { id, keyId: caller.keyId });
    const left = companyUic === undefined ? null : await checkCompany(tx, caller, { before, companyUic, now });
    if (patch.auditNoReceiptOrders !== undefined) await keepLeftOut(tx, id, now);
    const row = await readOne(tx, shopRows, {
      text: `update compliance.shops set details = details || $2, updated_at = $3, earlier_headers = $4 where id = $1
       returning id, details, test, e_shop_type as "eShopType", ${isoText('created_at')} as "createdAt", ${isoText('updated_at')} as "updatedAt"`,
      values: [id, patch, now, JSON.stringify(earlierAfter(before.headers, patch, validFrom))],
    });
    if (left !== null) await releaseMerchant(tx, { merchant: left, ownerId: caller.keyId });
    if (start !== undefined || left !== null) await checkFirstStart(tx, { shopId: id, start: row.details.receiptStartNumber });
    const moved = start === undefined || start === before.details.receiptStartNumber ? [] : await moveStart(tx, caller, { shopId: id, start, now });
    const shop = shopDto(row);
    return { ...shop, warnings: [...shop.warnings, ...moved, ...changeWarnings(before.details, row.details, validFrom)] };
  });
}

/** Throws a `HttpProblem`: until then receipts would bear what is not registered yet. */
function mustHaveBegun(validFrom: string | null, now: Date): void {
  const month = monthOf(sofiaDay(now.toISOString()));
  if (validFrom !== null && validFrom > month)
    throw invalidBody([{ path: 'validFrom', message: `must be ${month} at the latest: send the change when it counts` }]);
}

const DELETE = `
  with gone as (delete from compliance.shops where id = $1)
  select (select count(*)::int from compliance.orders where shop_id = $1) as "deletedOrders",
    array(select to_char(month, 'YYYY-MM') from compliance.audit_months where shop_id = $1 and state in ('generated', 'rejected') order by month) as unfiled`;

/** Deletes the shop with its orders if `body` names it. Throws a `HttpProblem`: invalid body, another caller's shop, or another name. */
export function deleteShop(pool: Pool, { caller, id, body, now }: OneShopRequest): Promise<DeleteShopResponseDto> {
  const { name } = parseBody(deleteShopDto, body);
  return inTransaction(pool, async (tx) => {
    // Orders that are being recorded are waited for, and counted.
    const { details } = await lockShop(tx, { id, keyId: caller.keyId });
    if (details.name !== name)
      throw new HttpProblem('shop-name-mismatch', 'to delete a shop with all its orders, send its exact name as name; nothing was deleted');
    const { deletedOrders, unfiled } = await readOne(tx, deletedRows, { text: DELETE, values: [id] });
    await releaseMerchant(tx, { merchant: merchantOf(details.companyUic), ownerId: caller.keyId });
    return { id, name, deletedAt: now.toISOString(), deletedOrders, warnings: unfiled.map(unfiledWarning) };
  });
}

function unfiledWarning(month: string): FieldError {
  return {
    path: 'id',
    message: `the file of ${month} was made and not marked as filed; if it was not filed, file it: the copy that was mailed is the only one now`,
  };
}
