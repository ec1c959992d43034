import { hash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { FieldError } from '../../contract/schema-errors.ts';
import { createShopDto, deleteShopDto, type ShopDetails, updateShopDto } from '../../contract/shop-dto.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { isoText, readOne, readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { authorOf, type Said } from '../../platform/trail/trail.ts';
import { keepLeftOut } from '../audit/month/counted-month.ts';
import { earlierAfter } from '../audit/month/shop-of-month.ts';
import { HttpProblem, invalidBody, notFound } from '../http/http-problem.ts';
import { parseBody } from '../http/read-request.ts';
import type { Caller } from '../keys/api-keys.ts';
import { ownsMerchant, releaseMerchant } from '../keys/company-owners.ts';
import { monthOf, sofiaDay } from '../law/calendar.ts';
import {
  documentNumberText,
  givenNumber,
  HIGHEST_START,
  type LockedSequence,
  lockSequence,
  MOST_SKIPPED,
  nextNumberWords,
  setNext,
  skipNumbers,
} from '../numbers/sequence.ts';
import { writeServiceActs } from '../trail/service-acts.ts';
import { checkCompany, companyClaimed, lockShop, merchantOf, mustOwnCompany } from './check-company.ts';
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
  shopOptionsPatch,
  shopRow,
} from './shop-dto.ts';

type DeleteShopResponseDto = { id: string; name: string; deletedAt: string; deletedOrders: number; warnings: FieldError[] };

type ShopRequest = { caller: Caller; body: unknown; now: Date };
type OneShopRequest = ShopRequest & { id: string };

const shopRows = rowsOf('compliance.shops', shopRow);
const deletedRows = rowsOf('compliance.shops', z.object({ deletedOrders: z.int(), unfiled: z.array(z.string()) }));

/** In a transaction. Throws a `HttpProblem`: invalid body, a second shop of a key that may have only one, another owner's company. */
async function createShop(tx: Queryable, { caller, body, now }: ShopRequest): Promise<ShopDto> {
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

type Request = { caller: Caller; body: unknown; now: Date; idempotencyKey: string | null };

const keyRows = rowsOf('compliance.idempotency_keys', z.object({ shopId: z.string(), createdAt: z.string(), same: z.boolean() }));

/**
 * Creates a shop; with a key the request may be repeated, and returns the shop of the first one. Throws a `HttpProblem`: those of `createShop`, and for a
 * key of another request. Keys are shared with those of orders, and kept as long.
 */
export async function createShopOnce(pool: Pool, { idempotencyKey: key, ...request }: Request): Promise<{ shop: ShopDto; replayed: boolean }> {
  if (key === null) return { shop: await inTransaction(pool, (tx) => createShop(tx, request)), replayed: false };
  const details = parseBody(createShopDto, request.body);
  const values = [request.caller.keyId, key, hash('sha256', JSON.stringify({ shop: details }), 'buffer')];
  return inTransaction(pool, async (tx) => {
    // A twin waits here until the first is through.
    const { rowCount } = await tx.query(TAKE_KEY, [...values, randomUUID(), request.now]);
    if (rowCount === 0) return { shop: await earlierShop(tx, values, { details, test: request.caller.isTest }), replayed: true };
    const shop = await createShop(tx, request);
    await tx.query('update compliance.idempotency_keys set order_id = $3 where api_key_id = $1 and key = $2', [...values.slice(0, 2), shop.id]);
    return { shop, replayed: false };
  });
}

const TAKE_KEY = `
  insert into compliance.idempotency_keys (api_key_id, key, fingerprint, order_id, created_at) values ($1, $2, $3, $4, $5) on conflict (api_key_id, key) do nothing`;

const EARLIER = `
  select order_id as "shopId", ${isoText('created_at')} as "createdAt", fingerprint = $3 as same from compliance.idempotency_keys where api_key_id = $1 and key = $2`;

const SHOP = `select id, details, test, e_shop_type as "eShopType", ${isoText('created_at')} as "createdAt", ${isoText('updated_at')} as "updatedAt" from compliance.shops where id = $1`;

/** The shop as it is now; one that was deleted meanwhile, as it was created. */
async function earlierShop(tx: Queryable, values: unknown[], { details, test }: { details: z.output<typeof createShopDto>; test: boolean }): Promise<ShopDto> {
  const earlier = await readRow(tx, keyRows, { text: EARLIER, values });
  if (earlier === null || !earlier.same) {
    throw new HttpProblem('idempotency-key-reused', 'another request was made with this Idempotency-Key; use a new key for every shop and order');
  }
  const { shopId: id, createdAt } = earlier;
  const shop = await readRow(tx, shopRows, { text: SHOP, values: [id] });
  return shopDto(shop ?? { id, details, test, eShopType: null, createdAt, updatedAt: createdAt });
}

type ChangeRequest = { keyId: string; id: string; body: unknown; now: Date; said: Said };

const before = rowsOf('compliance.shops', shopOptions);
const after = rowsOf('compliance.shops', readShopRow);

/** Changes what a shop asks for beyond the documented interface. Throws a `HttpProblem`: invalid body, or a shop of another caller. */
export function changeOptions(pool: Pool, { keyId, id, body, now, said }: ChangeRequest): Promise<ReadShopDto> {
  const patch = parseBody(shopOptionsPatch, body);
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

const starts = rowsOf('compliance.shops', z.object({ isFirst: z.boolean() }));

/** Throws a `HttpProblem`: the merchant of a shop with this start has no number yet, and such a first one would leave no room for others. */
async function checkFirstStart(tx: Queryable, { shopId, start }: Omit<Action, 'now'>): Promise<void> {
  if (start <= HIGHEST_START) return;
  const text = `select ${givenNumber('s.merchant')} is null as "isFirst" from compliance.shops s where s.id = $1`;
  if ((await readOne(tx, starts, { text, values: [shopId] })).isFirst)
    throw wrongStart(`must be ${HIGHEST_START} or below for a merchant’s first document: numbers only rise`);
}

const merchants = rowsOf('compliance.shops', z.object({ merchant: z.string(), companyUic: z.string() }));

type Action = { shopId: string; start: number; now: Date };

/**
 * Another `receiptStartNumber` of a shop, which has it already. Once a number was given, the sequence goes on there, and what is skipped is kept with
 * who did it; the warnings say so. Throws a `HttpProblem`: it is below the next number or too far above those that were given, the operator said where the
 * sequence begins, or the numbers are another owner's.
 */
async function moveStart(tx: Queryable, { keyId: ownerId, usedKeyId, isTest }: Caller, { shopId, start, now }: Action): Promise<FieldError[]> {
  const { merchant, companyUic } = await readOne(tx, merchants, {
    text: `select merchant, details ->> 'companyUic' as "companyUic" from compliance.shops where id = $1`,
    values: [shopId],
  });
  const sequence = await lockSequence(tx, merchant);
  if (sequence === null) return [];
  if (!isTest && !(await ownsMerchant(tx, { merchant, ownerId }))) throw companyClaimed({ usedKeyId, companyUic });
  const { next, given } = sequence;
  if (start === next) return [];
  if (given === null && !sequence.byOperator) {
    await setNext(tx, merchant, start);
    return [];
  }
  mustBeNear(sequence, start, companyUic);
  const skipped = await skipNumbers(tx, { merchant, next, to: start, who: `key:${usedKeyId}`, why: 'receiptStartNumber was raised', now });
  const [first, last] = [skipped.first, skipped.last].map(documentNumberText);
  return [{ path: 'receiptStartNumber', message: `skips the numbers ${first} to ${last}: they are kept as voided` }];
}

function mustBeNear({ next, given }: LockedSequence, start: number, companyUic: string): void {
  if (start < next) throw wrongStart(`can’t be lowered: the merchant’s document numbers have begun, ${nextNumberWords(next)}`);
  if (given !== null && start <= given + MOST_SKIPPED) return;
  const known =
    given === null ? 'another one than the operator of this service said' : `more than ${MOST_SKIPPED} above ${documentNumberText(given)}, the last one given`;
  throw wrongStart(`is ${known}; if it is right, ask the operator for \`orderbridge service numbers advance ${companyUic} --to ${start} --why REASON\``);
}

function wrongStart(message: string): Error {
  return invalidBody([{ path: 'receiptStartNumber', message }]);
}

type Shop = Pick<ShopDetails, 'receiptStartNumber'> & {
  id: string;
  /** Did the caller name a start number? */
  startNamed: boolean;
};

const neighbours = rowsOf('compliance.shops', z.object({ next: z.number().nullable(), twins: z.boolean() }));

/**
 * Warnings about values of a new shop that are accepted but conflict with its owner's other shops, or may be forgotten: a start number that comes too
 * late or was left out, an agency's number that another shop has. Shops of other owners are none of his business.
 */
async function neighbourWarnings(db: Queryable, { id, receiptStartNumber, startNamed }: Shop): Promise<FieldError[]> {
  const { next, twins } = await readOne(db, neighbours, {
    text: `select (select m.next_number::float8 from compliance.merchants m where m.id = s.merchant) as next,
       exists (select from compliance.shops t where t.id <> s.id and t.api_key_id = s.api_key_id and t.details ->> 'nraNumber' = s.details ->> 'nraNumber') as twins
     from compliance.shops s where s.id = $1`,
    values: [id],
  });
  return [
    ...startWarning({ next, start: startNamed ? receiptStartNumber : null }),
    ...(twins ? [{ path: 'nraNumber', message: 'is the number of another shop here; the agency takes one file per number and month' }] : []),
  ];
}

/** `next` null: no number was given yet. `start` null: none was named. */
function startWarning({ next, start }: { next: number | null; start: number | null }): FieldError[] {
  const path = 'receiptStartNumber';
  if (next === null && start === null)
    return [
      {
        path,
        message: 'was left out: document numbers begin with 0000000001; if another system gave numbers already, name the next one before the first order',
      },
    ];
  if (next === null || start === null || start === next) return [];
  return [{ path, message: `has no effect: the merchant’s document numbers have begun, ${nextNumberWords(next)}` }];
}
