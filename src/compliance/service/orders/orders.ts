import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import type { OrderTotals } from '../../../domain/totals.ts';
import { decodeOrder, type ReceivedOrder } from '../../wire/decode-order.ts';
import { isoText } from '../database/iso-text.ts';
import { invalidBody, notFound, Problem } from '../http/problem.ts';
import type { Caller } from '../keys/api-keys.ts';
import { type OrderDto, orderDto, recordTotals } from './order-dto.ts';
import { orderErrors } from './order-rules.ts';

/** For how long at least a repeated Idempotency-Key is recognized. */
const KEEP_IDEMPOTENCY_KEYS_MS = 90 * 24 * 3_600_000;

export type DeleteOrderResponseDto = { id: string; deletedAt: string };

type CreateRequest = { caller: Caller; body: unknown; idempotencyKey: string | null; now: Date };

/** Throws a `Problem`: invalid body, a shop that is not the caller's, a standing order with this internalId, or a key of another order. */
export async function createOrder(pool: pg.Pool, request: CreateRequest): Promise<{ order: OrderDto; replayed: boolean }> {
  const { dialect } = request.caller;
  const received = readOrder(request);
  const totals = recordTotals(received.record);
  const { outcome, id, createdAt } = await insertOrder(pool, { ...request, received, totals });
  switch (outcome) {
    case 'created':
      return { order: orderDto({ ...received, totals, id, createdAt, dialect }), replayed: false };
    case 'replayed':
      // Whoever the first request named as the buyer may have been erased since: no buyer is told.
      return { order: orderDto({ ...received, customer: null, totals, id, createdAt, dialect }), replayed: true };
    case 'standing':
      throw new Problem('order-exists', `order ${id} stands with this internalId; delete it first to replace it`, { id });
    case 'key-reused':
      throw new Problem('idempotency-key-reused', 'a different order was created with this Idempotency-Key; use a new key for every order');
    case 'shop-unknown':
      throw notFound('shop');
  }
}

function readOrder({ caller, body }: CreateRequest): ReceivedOrder {
  const decoded = decodeOrder(body, caller.dialect);
  if (!decoded.ok) throw invalidBody(decoded.errors);
  const errors = orderErrors(decoded.order.record);
  if (errors.length > 0) throw invalidBody(errors);
  return decoded.order;
}

const inserted = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['created', 'replayed', 'standing', 'key-reused']), id: z.string(), createdAt: z.string() }),
  z.object({ outcome: z.literal('shop-unknown'), id: z.null(), createdAt: z.null() }),
]);

const INSERT = `select outcome, order_id as id, ${isoText('order_created_at')} as "createdAt" from compliance.create_order($1, $2, $3, $4, $5)`;

type Insert = CreateRequest & { received: ReceivedOrder; totals: OrderTotals };

async function insertOrder(pool: pg.Pool, { caller, idempotencyKey, received, totals, now }: Insert) {
  const keepFrom = new Date(now.getTime() - KEEP_IDEMPOTENCY_KEYS_MS);
  const row = JSON.stringify({ ...orderRow(received, totals), id: randomUUID(), created_at: now });
  const { rows } = await pool.query({
    name: 'compliance.create-order',
    text: INSERT,
    values: [caller.keyId, idempotencyKey, idempotencyKey === null ? null : fingerprint(received), keepFrom, row],
  });
  return inserted.parse(rows[0]);
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

// The decoded form: two ways to write one amount are one order. The buyer is left out: his details may have been erased between two tries.
function fingerprint({ record, shopId }: ReceivedOrder): Buffer {
  return createHash('sha256').update(JSON.stringify({ record, shopId })).digest();
}

const DELETE = `
  with gone as (delete from compliance.orders o using compliance.shops s where o.id = $1 and s.id = o.shop_id and s.api_key_id = $2 returning o.id, o.shop_id, o.created_at)
  insert into compliance.deleted_orders (id, shop_id, created_at, deleted_at) select id, shop_id, created_at, $3 from gone`;

/** Removes the order for good; only its id, shop and dates stay. Throws a `Problem` if the caller has no such order (any more). */
export async function deleteOrder(pool: pg.Pool, { caller, id, now }: { caller: Caller; id: string; now: Date }): Promise<DeleteOrderResponseDto> {
  const { rowCount } = await pool.query({ name: 'compliance.delete-order', text: DELETE, values: [id, caller.keyId, now] });
  if (rowCount === 0) throw notFound('order');
  return { id, deletedAt: now.toISOString() };
}
