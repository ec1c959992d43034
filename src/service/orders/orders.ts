import { hash, randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { endedBy, type TiedCurrency } from '../../contract/money.ts';
import { decodeOrder, type ReceivedOrder, typesWithoutReceipt, typesWithReceipt } from '../../contract/order-dto.ts';
import type { OrderTotals } from '../../contract/totals.ts';
import { plainAddress } from '../../platform/mail/mail-address.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { SealedPlace, Sealer } from '../../platform/seal.ts';
import { HttpProblem, invalidBody, notFound } from '../http/http-problem.ts';
import type { Caller } from '../keys/api-keys.ts';
import { monthOf, sofiaDay } from '../law/calendar.ts';
import { buyerColumn, openBuyerOrNull, sealedBuyer } from '../privacy/sealed-buyer.ts';
import type { Accountant } from '../rates/accountant.ts';
import { termAt } from '../term.ts';
import { type Insert, type InsertCall, inGroups, insertOrders } from './insert-in-groups.ts';
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
  accounting: Accountant;
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
  const id = randomUUIDv7();
  const answer = await insert({
    apiKey: caller.keyId,
    key: idempotencyKey,
    fingerprint: idempotencyKey === null ? null : fingerprint(received),
    orderMonth: `${monthOf(day)}-01`,
    accounting: await accounting(received.record, day),
    receipt: newReceipt(received),
    order: { ...orderRow(received, totals), id, created_at: at, customer: sealedBuyer(pool, id, received.customer) },
  });
  const { isTest: test } = caller;
  switch (answer.outcome) {
    case 'created':
      return { order: orderDto({ ...received, ...answer, totals, test, dialect }), replayed: false };
    case 'replayed':
      // The buyer may have been erased since the first request, so the replay returns none.
      return { order: orderDto({ ...received, ...answer, customer: null, totals, test, dialect }), replayed: true };
    case 'existing':
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

function orderRow({ record, shopId }: ReceivedOrder, { total, netTotal, totalVat, totalDiscount }: OrderTotals) {
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

const buyers = rowsOf('compliance.orders', z.object({ customer: buyerColumn }));

/** Where the address of a deleted order's buyer is sealed. */
export function placeOfBuyer(orderId: string): SealedPlace {
  return { table: 'compliance.withdrawn_receipts', column: 'sealed_email', id: orderId };
}

/** The address of an order's buyer, sealed for a notice after the order is deleted; null if there is no usable one. */
async function sealBuyer(db: Queryable, sealing: Pick<Sealer, 'seal'>, orderId: string): Promise<string | null> {
  const row = await readRow(db, buyers, { text: 'select o.customer from compliance.orders o where o.id = $1', values: [orderId] });
  // The order is deleted, whether or not its buyer can be told.
  const { email: known } = openBuyerOrNull(db, orderId, row?.customer ?? null) ?? {};
  const email = known === undefined ? null : plainAddress(known);
  return email === null ? null : sealing.seal(email, placeOfBuyer(orderId));
}
