import { hash, randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { endedBy, isTied, type TiedCurrency } from '../../contract/money.ts';
import { decodeOrder, type ReceivedOrder, typesWithoutReceipt, typesWithReceipt } from '../../contract/order-dto.ts';
import { type TaxRecord, taxRecord } from '../../contract/record.ts';
import type { OrderTotals } from '../../contract/totals.ts';
import { batcher } from '../../platform/batcher.ts';
import { plainAddress } from '../../platform/mail/mail-address.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { isoText, readOne, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { SealedPlace, Sealer } from '../../platform/seal.ts';
import { HttpProblem, invalidBody, notFound } from '../http/http-problem.ts';
import type { Caller } from '../keys/api-keys.ts';
import { addDays, monthOf, sofiaDay } from '../law/calendar.ts';
import { accountingCurrencies } from '../law/currencies.ts';
import { declaredAmounts, type Into, type RateAmounts } from '../rates/declared-amounts.ts';
import type { ExchangeRate, RateLookup } from '../rates/exchange-rate.ts';
import { EURO_FROM, termAt } from '../term.ts';
import { doubtsOf, orderDoubts } from './questionable-orders.ts';
import { type OrderDto, orderDto, recordTotals } from './order-dto.ts';
import { orderErrors } from './order-rules.ts';

export type DeleteOrderResponseDto = { id: string; deletedAt: string };

type CreateRequest = { caller: Caller; body: unknown; idempotencyKey: string | null };
type DeleteRequest = { caller: Caller; id: string };

export type Orders = {
  /**
   * Throws a `HttpProblem`: invalid body, a currency that had ended and that the shop refuses, a shop of another caller, a company that is another owner’s now, a recorded order with this internalId, a key of another order, or no document
   * number left.
   */
  create(request: CreateRequest): Promise<{ order: OrderDto; replayed: boolean }>;
  /** Removes the order for good, except for what the law requires. Throws a `HttpProblem` if the caller has no such order (any more). */
  delete(request: DeleteRequest): Promise<DeleteOrderResponseDto>;
};

export type OrdersDeps = {
  pool: Queryable;
  now: () => Date;
  /** The accounting amounts of an order of a day ("2026-10-31"), in every currency that may be needed. */
  accounting: (record: TaxRecord, day: string) => Promise<Accounting>;
  /** Currency of all audit files; null: by their month. */
  currency: TiedCurrency | null;
  /** Seals the address of a deleted order's buyer. */
  sealing: Pick<Sealer, 'seal'>;
};

/** Orders of the documented interface. Orders that arrive while a group is being recorded go into the next transaction together. */
export function createOrders(deps: OrdersDeps): Orders {
  const insert = inGroups((calls) => insertOrders(deps, calls));
  return {
    create: (request) => createOrder(deps, insert, request),
    delete: (request) => deleteOrder(deps, request),
  };
}

async function createOrder({ pool, now, accounting }: OrdersDeps, insert: Insert, { caller, body, idempotencyKey }: CreateRequest) {
  const { dialect } = caller;
  const at = now();
  const received = readOrder(caller, body, sofiaDay(at.toISOString()));
  const totals = recordTotals(received.record);
  const day = sofiaDay(received.record.internalCreatedAt);
  if (endedBy(received.record.currency, received.record.internalCreatedAt) !== null) await refuseEnded(pool, { caller, received, idempotencyKey });
  const answer = await insert({
    apiKey: caller.keyId,
    key: idempotencyKey,
    fingerprint: idempotencyKey === null ? null : fingerprint(received),
    orderMonth: `${monthOf(day)}-01`,
    accounting: await accounting(received.record, day),
    receipt: newReceipt(received),
    order: { ...orderRow(received, totals), id: randomUUIDv7(), created_at: at },
  });
  const { isTest: test } = caller;
  switch (answer.outcome) {
    case 'created':
      return { order: orderDto({ ...received, ...answer, totals, test, dialect }), replayed: false };
    case 'replayed':
      // The buyer may have been erased since the first request, so the replay returns none.
      return { order: orderDto({ ...received, ...answer, customer: null, totals, test, dialect }), replayed: true };
    case 'standing':
      throw new HttpProblem('order-exists', `order ${answer.id} is recorded with this internalId; delete it first to replace it`, { id: answer.id });
    case 'key-reused':
      throw new HttpProblem('idempotency-key-reused', 'a different order was created with this Idempotency-Key; use a new key for every order');
    case 'shop-unknown':
      throw notFound('shop');
    case 'company-claimed':
      throw await companyMoved(pool, caller, received.shopId);
    case 'numbers-used-up':
      throw new HttpProblem(
        'document-numbers-used-up',
        'the last number of ten digits is given, and none is given twice; ask the operator of this service and your accountant how to go on',
      );
  }
}

// Used if the shop wants receipts to be made without being asked for.
function newReceipt({ record, customer }: ReceivedOrder): InsertCall['receipt'] {
  if (!typesWithReceipt.has(record.paymentType)) return null;
  const email = customer?.email == null ? null : plainAddress(customer.email);
  return { id: randomUUIDv7(), mail: email === null ? null : randomUUIDv7() };
}

function readOrder({ dialect }: Caller, body: unknown, today: string): ReceivedOrder {
  const decoded = decodeOrder(body, dialect);
  if (!decoded.ok) throw invalidBody(decoded.errors);
  const errors = orderErrors(decoded.order.record, today);
  if (errors.length > 0) throw invalidBody(errors);
  return decoded.order;
}

function orderRow({ record, customer, shopId }: ReceivedOrder, { total, netTotal, totalVat, totalDiscount }: OrderTotals) {
  return {
    shop_id: shopId,
    internal_id: record.internalId,
    internal_number: record.internalNumber,
    internal_created_at: record.internalCreatedAt,
    line_items: record.lineItems,
    payment_type: record.paymentType,
    payment_processor_name: record.paymentProcessorName,
    transaction_id: record.transactionId,
    precision: record.precision,
    currency: record.currency,
    customer,
    total,
    net_total: netTotal,
    total_vat: totalVat,
    total_discount: totalDiscount,
  };
}

// The decoded form: two ways to write one amount are one order. The buyer is left out: their details may have been erased between two attempts.
function fingerprint({ record, shopId }: ReceivedOrder): string {
  return hash('sha256', JSON.stringify({ record, shopId }), 'hex');
}

const deletedRow = rowsOf('compliance.orders', z.object({ deleted: z.boolean().nullable() }));

const DELETE = 'select compliance.delete_order($1, $2, $3, $4, $5, $6, $7) as deleted';

async function deleteOrder({ pool, now, sealing }: OrdersDeps, { caller, id }: DeleteRequest): Promise<DeleteOrderResponseDto> {
  const at = now();
  const { today, firstOpen } = termAt(at);
  const values = [id, caller.keyId, at, today, firstOpen, [...typesWithoutReceipt], await sealBuyer(pool, sealing, id)];
  const { deleted } = await readOne(pool, deletedRow, { name: 'compliance.delete-order', text: DELETE, values });
  if (deleted !== true) throw notFound('order');
  return { id, deletedAt: at.toISOString() };
}

/** `at`: ISO instant with an offset. */
type DeliverRequest = { caller: Pick<Caller, 'keyId'>; id: string; at: string };

const records = rowsOf('compliance.orders', z.object({ record: taxRecord }));
const deliveredRow = rowsOf('compliance.orders', z.object({ known: z.boolean() }));

const RECORD = `
  select json_build_object('internalId', o.internal_id, 'internalNumber', o.internal_number, 'internalCreatedAt', o.internal_created_at, 'lineItems', o.line_items,
    'paymentType', o.payment_type, 'paymentProcessorName', o.payment_processor_name, 'transactionId', o.transaction_id, 'precision', o.precision,
    'currency', o.currency) as record
  from compliance.orders o join compliance.shops s on s.id = o.shop_id where o.id = $1 and s.api_key_id = $2`;

const DELIVER = 'select compliance.deliver_order($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as known';

/**
 * Says when an order was delivered; the file of that month lists it, if the month in which it is listed is open. Safe to repeat. Returns the month of
 * the delivery ("2026-10"); that of the order's day if that is later. Throws a `HttpProblem`: invalid body, or the caller has no such order (any more).
 */
export async function deliverOrder({ pool, now, currency, accounting }: OrdersDeps, { caller, id, at }: DeliverRequest): Promise<string> {
  const called = now();
  const { today, firstOpen } = termAt(called);
  const on = sofiaDay(at);
  if (on > addDays(today, 1)) throw invalidBody([{ path: 'at', message: `must not be after tomorrow (${addDays(today, 1)} in Bulgaria)` }]);
  const row = await readRow(pool, records, { text: RECORD, values: [id, caller.keyId] });
  if (row === null) throw notFound('order');
  const day = sofiaDay(row.record.internalCreatedAt);
  const accounts = await accounting(row.record, day);
  const values = [id, caller.keyId, at, on, `${monthOf(day)}-01`, JSON.stringify(accounts), called, today, firstOpen, currency, EURO_FROM];
  const { known } = await readOne(pool, deliveredRow, { text: DELIVER, values });
  if (!known) throw notFound('order');
  return monthOf(on > day ? on : day);
}

/** Computes the amounts that orders are declared with; a currency whose rate is not known (yet) is left out. */
export function createAccountant({ currency, rates }: { currency: TiedCurrency | null; rates: RateLookup }): OrdersDeps['accounting'] {
  // It may be listed in a later period than its own, and in an earlier one if it replaces an order of that.
  const into = currency === null ? accountingCurrencies.map((period) => period.currency) : [currency];
  return async (record, day) => {
    const rate = isTied(record.currency) ? null : await rates(record.currency, day);
    const amounts = into.map((to) => [to, amountsIn(record, { to, rate })] as const);
    return Object.fromEntries(amounts.filter(([, known]) => known !== null)) satisfies Accounting;
  };
}

function amountsIn(record: TaxRecord, into: Into): AccountingAmounts | null {
  const known = declaredAmounts(record, into);
  return known === null ? null : { total: known.total, vat: known.vat, byRate: known.byRate, exchange: into.rate };
}

const shops = rowsOf('compliance.shops', z.object({ isRefused: z.boolean() }));

// What was recorded before is answered, replaced and put back as ever: a refusal then would lose the sale.
const REFUSED = `
  select s.refuse_ended_currencies
    and not exists (select from compliance.idempotency_keys k where k.api_key_id = s.api_key_id and k.key = $4)
    and not exists (select from compliance.orders o where o.shop_id = s.id and o.internal_id = $3)
    and not exists (select from compliance.deleted_orders d
      where d.shop_id = s.id and d.internal_key = compliance.internal_key(s.id, $3) and d.replaced_by is null) as "isRefused"
  from compliance.shops s where s.id = $1 and s.api_key_id = $2`;

type Request = { caller: Caller; received: ReceivedOrder; idempotencyKey: string | null };

/** Throws a `HttpProblem` if the shop refuses orders in a currency that had ended, such as this one, and this is the first that is heard of it. */
async function refuseEnded(db: Queryable, { caller, received: { record, shopId }, idempotencyKey }: Request): Promise<void> {
  const shop = await readRow(db, shops, { text: REFUSED, values: [shopId, caller.keyId, record.internalId, idempotencyKey] });
  if (shop?.isRefused !== true) return;
  const detail = `${record.currency} had ended when the order was made, and the shop refuses such orders (refuseEndedCurrencies): send it in the currency that was paid`;
  throw new HttpProblem('currency-ended', detail);
}

const companies = rowsOf('compliance.shops', z.object({ uic: z.string() }));

/** Why a shop takes no new orders: the operator gave its company to another owner of keys. Nothing is said of that one. */
async function companyMoved(db: Queryable, { usedKeyId }: Pick<Caller, 'usedKeyId'>, shopId: string): Promise<HttpProblem> {
  const shop = await readRow(db, companies, { text: `select details ->> 'companyUic' as uic from compliance.shops where id = $1`, values: [shopId] });
  const grant = `orderbridge service keys grant ${usedKeyId} ${shop?.uic ?? 'UIC'}`;
  return new HttpProblem(
    'company-claimed',
    'the operator of this service moved the company of this shop to another owner of keys: the shop takes no new orders; recorded ones can still be ' +
      `deleted and replaced. If the company is yours, ask the operator for \`${grant}\``,
  );
}

const buyers = rowsOf('compliance.orders', z.object({ email: z.string().nullable() }));

/** Where the address of a deleted order's buyer is sealed. */
export function placeOfBuyer(orderId: string): SealedPlace {
  return { table: 'compliance.withdrawn_receipts', column: 'sealed_email', id: orderId };
}

/** The address of an order's buyer, sealed for a notice after the order is deleted; null if there is no usable one. */
async function sealBuyer(db: Queryable, sealing: Pick<Sealer, 'seal'>, orderId: string): Promise<string | null> {
  const row = await readRow(db, buyers, { text: `select o.customer ->> 'email' as email from compliance.orders o where o.id = $1`, values: [orderId] });
  const email = row?.email == null ? null : plainAddress(row.email);
  return email === null ? null : sealing.seal(email, placeOfBuyer(orderId));
}

/** How long, at least, a repeated Idempotency-Key is recognized. */
const KEEP_IDEMPOTENCY_KEYS_MS = 90 * 24 * 3_600_000;
/** Orders per transaction, and transactions at a time: while one is committed, the next is computed. */
const GROUP = { max: 200, parallel: 2 };

/** The arguments of `compliance.create_orders` for one order; the keys of `order` are column names. */
type InsertCall = {
  apiKey: string;
  key: string | null;
  fingerprint: string | null;
  orderMonth: string;
  accounting: Accounting;
  /** Ids of its receipt and of the mail with it, should the shop want them; `mail` null: the buyer has no usable address. */
  receipt: { id: string; mail: string | null } | null;
  order: Record<string, unknown>;
};

const inserted = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.enum(['created', 'replayed', 'standing', 'key-reused']),
    id: z.string(),
    createdAt: z.string(),
    documentNumber: z.string().nullable(),
    doubts: orderDoubts,
  }),
  z.object({ outcome: z.enum(['shop-unknown', 'company-claimed', 'numbers-used-up']), id: z.null(), createdAt: z.null(), documentNumber: z.null() }),
]);

const insertedRows = rowsOf('compliance.orders', inserted);

type Inserted = z.output<typeof inserted>;
type Insert = (call: InsertCall) => Promise<Inserted>;

const INSERT = `select outcome, order_id as id, ${isoText('order_created_at')} as "createdAt", lpad(document_number::text, 10, '0') as "documentNumber", ${doubtsOf('order_id')} as doubts
  from compliance.create_orders($1, $2, $3, $4, $5, $6)`;

type InsertDeps = { pool: Queryable; now: () => Date; currency: TiedCurrency | null };

/** Records a group of orders in one transaction; returns the results in the same order. */
async function insertOrders({ pool, now, currency }: InsertDeps, calls: readonly InsertCall[]): Promise<Inserted[]> {
  const at = now();
  const { today, firstOpen } = termAt(at);
  const keepFrom = new Date(at.getTime() - KEEP_IDEMPOTENCY_KEYS_MS);
  const values = [JSON.stringify(calls), keepFrom, today, firstOpen, currency, EURO_FROM];
  return readRows(pool, insertedRows, { name: 'compliance.create-orders', text: INSERT, values });
}

/** Groups orders that arrive at the same time. A refused group is retried order by order, so that one order can't fail the others. */
function inGroups(insert: (calls: readonly InsertCall[]) => Promise<Inserted[]>): Insert {
  const grouped = batcher<InsertCall, Inserted | Error>(async (calls) => {
    try {
      return await insert(calls);
    } catch (thrown) {
      if (calls.length === 1 && !isWorthRetrying(thrown)) throw thrown;
      if (!isRefusal(thrown)) throw thrown;
      return oneByOne(insert, calls);
    }
  }, GROUP);
  return async (call) => {
    const result = await grouped(call);
    if (result instanceof Error) throw result;
    return result;
  };
}

async function oneByOne(insert: (calls: readonly InsertCall[]) => Promise<Inserted[]>, calls: readonly InsertCall[]): Promise<(Inserted | Error)[]> {
  const results: (Inserted | Error)[] = [];
  for (const call of calls) {
    const [result] = await insert([call]).catch((thrown: unknown) => [thrown instanceof Error ? thrown : new Error(String(thrown))]);
    results.push(result ?? new Error('the database returned no outcome'));
  }
  return results;
}

// The database refused and did nothing, as opposed to a connection that broke on the way.
function isRefusal(thrown: unknown): boolean {
  const code = sqlState(thrown);
  return code !== '' && !code.startsWith('08') && !code.startsWith('57');
}

// A deadlock, or the same order inserted first by another request (unique violation): a retry sees the recorded order.
function isWorthRetrying(thrown: unknown): boolean {
  return ['40P01', '40001', '23505'].includes(sqlState(thrown));
}

function sqlState(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : '';
}

/** The amounts that an order is declared with, as decimal text with two decimals; `exchange` is null where no daily rate was needed. */
type AccountingAmounts = { total: string; vat: string; byRate: readonly RateAmounts[]; exchange: ExchangeRate | null };

/** By accounting currency; without those whose rate is not known. */
type Accounting = Partial<Record<TiedCurrency, AccountingAmounts>>;
