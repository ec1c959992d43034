import { hash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { FieldError } from '../../contract/schema-errors.ts';
import { createShopDto, type updateShopDto } from '../../contract/shop-dto.ts';
import { type Authorship, authorOf } from '../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { isoText, readOne, readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { keepLeftOut } from '../audit/month/counted-month.ts';
import { earlierAfter } from '../audit/month/shop-of-month.ts';
import { writeServiceActs } from '../audit-log/service-acts.ts';
import { HttpProblem, invalidBody, notFound } from '../http/http-problem.ts';
import { parseBody } from '../http/read-request.ts';
import type { Caller } from '../keys/api-keys.ts';
import { releaseMerchant } from '../keys/company-owners.ts';
import { monthOf, sofiaDay } from '../law/calendar.ts';
import { addressesOf, marksOf } from '../mail/recipients.ts';
import { checkCompany, lockShop, merchantOf, mustOwnCompany } from './check-company.ts';
import {
  changeWarnings,
  type ReadShopDto,
  readShopDto,
  readShopRow,
  SHOP_OPTIONS,
  type ShopDto,
  type ShopOptions,
  shopDto,
  shopOptions,
  type shopOptionsPatch,
  shopRow,
} from './shop-dto.ts';
import { checkFirstStart, moveStart, neighbourWarnings } from './start-number.ts';

type DeleteShopResponseDto = { id: string; name: string; deletedAt: string; deletedOrders: number; warnings: FieldError[] };
type OneShopRequest = { caller: Caller; id: string; now: Date };

const shopRows = rowsOf('compliance.shops', shopRow);
const deletedRows = rowsOf('compliance.shops', z.object({ deletedOrders: z.int(), unfiled: z.array(z.string()) }));

/** In a transaction. Throws a `HttpProblem`: invalid body, a second shop of a key that may have only one, another owner's company. */
async function createShop(tx: Queryable, { caller, body, now }: { caller: Caller; body: unknown; now: Date }): Promise<ShopDto> {
  const details = parseBody(createShopDto, body);
  const id = randomUUID();
  const addresses = addressesOf(details);
  const { keyId, multiShop, isTest: test } = caller;
  const { rowCount } = await tx.query(
    `insert into compliance.shops (id, api_key_id, sole_of, details, created_at, updated_at, test, addresses, marks)
     select $1, $2, $3, $4, $5, $5, $6, $7, $8 where $3::uuid is null or not exists (select from compliance.shops where api_key_id = $2)
     on conflict (sole_of) do nothing`,
    [id, keyId, multiShop ? null : keyId, details, now, test, addresses, marksOf(tx, addresses)],
  );
  if (rowCount === 0)
    throw new HttpProblem(
      'one-shop-only',
      'the owner of this key for one shop has a shop already; update that one, delete it first, or ask for a key for several shops',
    );
  await mustOwnCompany(tx, caller, { companyUic: details.companyUic, now });
  await checkFirstStart(tx, { shopId: id, start: details.receiptStartNumber });
  const others = test ? [] : await neighbourWarnings(tx, { ...details, id, startNamed: namesStart(body) });
  const shop = shopDto({ id, details, test, createdAt: now.toISOString(), updatedAt: now.toISOString(), eShopType: null });
  return { ...shop, warnings: [...shop.warnings, ...others] };
}

function namesStart(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'receiptStartNumber' in body;
}

/** Throws a `HttpProblem`: a shop of another caller, a `receiptStartNumber` that can't be the next number, another company, or another owner's. */
export function updateShop(pool: Pool, { caller, id, change, now }: OneShopRequest & { change: z.output<typeof updateShopDto> }): Promise<ShopDto> {
  const { validFrom = null, ...patch } = change;
  mustHaveBegun(validFrom, now);
  const { companyUic, receiptStartNumber: start } = patch;
  return inTransaction(pool, async (tx) => {
    const before = await lockShop(tx, { id, keyId: caller.keyId });
    const left = companyUic === undefined ? null : await checkCompany(tx, caller, { before, companyUic, now });
    const { customerEmail = before.details.customerEmail, auditRecipientEmails = before.details.auditRecipientEmails } = patch;
    const addresses = addressesOf({ customerEmail, auditRecipientEmails });
    if (patch.auditNoReceiptOrders !== undefined) await keepLeftOut(tx, id, now);
    const row = await readOne(tx, shopRows, {
      text: `update compliance.shops set details = details || $2, updated_at = $3, earlier_headers = $4, addresses = $5, marks = $6 where id = $1
       returning id, details, test, e_shop_type as "eShopType", ${isoText('created_at')} as "createdAt", ${isoText('updated_at')} as "updatedAt"`,
      values: [id, patch, now, JSON.stringify(earlierAfter(before.headers, patch, validFrom)), addresses, marksOf(tx, addresses)],
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

/** Deletes the shop with its orders if `name` is its name. Throws a `HttpProblem`: another caller's shop, or another name. */
export function deleteShop(pool: Pool, { caller, id, name, now }: OneShopRequest & { name: string }): Promise<DeleteShopResponseDto> {
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

// Tables that know what it recorded; what else there is of it tells of nothing.
const RECORDED = ['orders', 'deleted_orders', 'filed_sales', 'returns', 'receipts', 'audit_files'];

const unusedRows = rowsOf('compliance.shops', z.object({ details: createShopDto, keyId: z.string() }));

/** Deletes a shop that never recorded anything. False: it has. */
export async function dropUnusedShop(tx: Queryable, id: string): Promise<boolean> {
  // Orders that are being recorded are waited for.
  const shop = await readRow(tx, unusedRows, { text: 'select details, api_key_id as "keyId" from compliance.shops where id = $1 for update', values: [id] });
  if (shop === null) return true;
  const none = RECORDED.map((table) => `not exists (select from compliance.${table} where shop_id = $1)`).join(' and ');
  const { rowCount } = await tx.query(`delete from compliance.shops where id = $1 and ${none}`, [id]);
  if (rowCount === 1) await releaseMerchant(tx, { merchant: merchantOf(shop.details.companyUic), ownerId: shop.keyId });
  return rowCount === 1;
}

function unfiledWarning(month: string): FieldError {
  return {
    path: 'id',
    message: `the file of ${month} was made and not marked as filed; if it was not filed, file it: the copy that was mailed is the only one now`,
  };
}

type Request = { caller: Caller; body: unknown; now: Date; idempotencyKey: string | null };

const keyRows = rowsOf('compliance.idempotency_keys', z.object({ shopId: z.string(), same: z.boolean() }));

/**
 * Creates a shop; with a key the request may be repeated, and returns the shop of the first one. Throws a `HttpProblem`: those of `createShop`, for a
 * key of another request, and if the shop was deleted. Keys are shared with those of orders, and kept as long.
 */
export async function createShopOnce(pool: Pool, { idempotencyKey: key, ...request }: Request): Promise<{ shop: ShopDto; replayed: boolean }> {
  if (key === null) return { shop: await inTransaction(pool, (tx) => createShop(tx, request)), replayed: false };
  const shop = parseBody(createShopDto, request.body);
  const values = [request.caller.keyId, key, hash('sha256', JSON.stringify({ shop }), 'buffer')];
  return inTransaction(pool, async (tx) => {
    // A twin waits here until the first is through.
    const { rowCount } = await tx.query(TAKE_KEY, [...values, randomUUID(), request.now]);
    if (rowCount === 0) return { shop: await earlierShop(tx, values), replayed: true };
    const created = await createShop(tx, request);
    await tx.query('update compliance.idempotency_keys set order_id = $3 where api_key_id = $1 and key = $2', [...values.slice(0, 2), created.id]);
    return { shop: created, replayed: false };
  });
}

const TAKE_KEY = `
  insert into compliance.idempotency_keys (api_key_id, key, fingerprint, order_id, created_at) values ($1, $2, $3, $4, $5) on conflict (api_key_id, key) do nothing`;

const EARLIER = `
  select order_id as "shopId", fingerprint = $3 as same from compliance.idempotency_keys where api_key_id = $1 and key = $2`;

const SHOP = `select id, details, test, e_shop_type as "eShopType", ${isoText('created_at')} as "createdAt", ${isoText('updated_at')} as "updatedAt" from compliance.shops where id = $1`;

/** The shop as it is now. Throws a `HttpProblem`: the key of another request, or the shop was deleted. */
async function earlierShop(tx: Queryable, values: unknown[]): Promise<ShopDto> {
  const earlier = await readRow(tx, keyRows, { text: EARLIER, values });
  if (earlier === null || !earlier.same) {
    throw new HttpProblem('idempotency-key-reused', 'another request was made with this Idempotency-Key; use a new key for every shop and order');
  }
  const shop = await readRow(tx, shopRows, { text: SHOP, values: [earlier.shopId] });
  if (shop === null) throw new HttpProblem('not-found', 'the shop that was created with this Idempotency-Key was deleted; use a new key for another one');
  return shopDto(shop);
}

type ChangeRequest = { keyId: string; id: string; patch: z.output<typeof shopOptionsPatch>; now: Date; said: Authorship };

const before = rowsOf('compliance.shops', shopOptions);
const after = rowsOf('compliance.shops', readShopRow);

/** Changes what a shop asks for beyond the documented interface. Throws a `HttpProblem`: a shop of another caller. */
export function changeOptions(pool: Pool, { keyId, id, patch, now, said }: ChangeRequest): Promise<ReadShopDto> {
  return inTransaction(pool, async (tx) => {
    const earlier = await readRow(tx, before, {
      text: `select ${SHOP_OPTIONS} from compliance.shops s where s.id = $1 and s.api_key_id = $2 for update`,
      values: [id, keyId],
    });
    if (earlier === null) throw notFound('shop');
    const wanted = shopOptions.parse({ ...earlier, ...patch });
    await writeServiceActs(tx, [{ ...authorOf(said), act: 'shop.options', subject: id, before: earlier, after: wanted }]);
    return store(tx, { id, wanted, now });
  });
}

async function store(tx: Queryable, { id, wanted, now }: { id: string; wanted: ShopOptions; now: Date }): Promise<ReadShopDto> {
  const row = await readRow(tx, after, {
    text: `update compliance.shops s set automatic_receipts = $2, receipt_english = $3, e_shop_type = $4, refuse_ended_currencies = $5, updated_at = $6 where s.id = $1
     returning s.id, s.details, s.test, ${isoText('s.created_at')} as "createdAt", ${isoText('s.updated_at')} as "updatedAt", ${SHOP_OPTIONS}, s.earlier_headers as earlier`,
    values: [id, wanted.automaticReceipts, wanted.receiptEnglish, wanted.eShopType, wanted.refuseEndedCurrencies, now],
  });
  if (row === null) throw notFound('shop');
  return readShopDto(row);
}
