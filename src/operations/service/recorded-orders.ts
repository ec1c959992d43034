import { orderOfRecord } from '../../bridge/ledger/orders/read-orders.ts';
import { sameContent } from '../../bridge/order/money/same-content.ts';
import { embeddedDialect } from '../../contract/dialect.ts';
import { quoted } from '../../contract/messages.ts';
import { decodeOrder } from '../../contract/order-dto.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readMonthState, type StoredMonth } from '../../service/audit/month/month-state.ts';
import { writeServiceActs } from '../../service/audit-log/service-acts.ts';
import type { ComplianceService } from '../../service/compliance-service.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { HttpProblem } from '../../service/http/http-problem.ts';
import { deadlineOf } from '../../service/law/deadlines.ts';
import { listOrders, type ReadOrder, readOrder } from '../../service/reading/read-orders.ts';
import { Refusal } from '../refusal.ts';
import { knownShop } from './shops.ts';

/** Of a shop; with `month` those that the audit file of this month lists. */
export type ShopList = { shop: string; month?: string | undefined; limit: number };

/** The orders that are recorded in a shop of our compliance service, oldest first; `more`: further ones fit, beyond the limit. */
export async function recordedOrdersOf({ pool }: { pool: Pool }, { shop, month, limit }: ShopList): Promise<{ orders: ReadOrder[]; more: boolean }> {
  await knownShop({ pool }, shop);
  const { items, next } = await listOrders(pool, { shopId: shop, limit, dialect: embeddedDialect, ...(month !== undefined && { month }) });
  return { orders: items, more: next !== null };
}

export async function recordedOrder({ pool }: { pool: Pool }, id: string): Promise<ReadOrder> {
  const order = isUuid(id) ? await readOrder(pool, { id, dialect: embeddedDialect }) : null;
  if (order === null) throw noRecordedOrder(id);
  return order;
}

/** Somebody is shown these orders with their buyers: each look at one is an act, written before anything is shown. */
export async function seeBuyersOf({ pool }: { pool: Pool }, orders: readonly Pick<ReadOrder, 'id' | 'customer'>[], by: Actor): Promise<void> {
  const shown = orders.filter(({ customer }) => customer !== null);
  await writeServiceActs(
    pool,
    shown.map(({ id }) => ({ who: by, act: 'buyer.seen' as const, subject: id })),
  );
}

export function noRecordedOrder(id: string): Refusal {
  return new Refusal('missing', {
    en: `no order ${id} is recorded here`,
    bg: `тук не е записана поръчка ${id}`,
    advice: '`orderbridge service orders list` shows them',
  });
}

/** The document of a record in our own service. `month`: whose file lists it, and the last day for that; null: it is in none yet. */
export type DocumentOf = { number: string; day: string; month: { month: string; state: StoredMonth['state']; due: string } | null };

/** Null: our service is not in this database, or has no such record. */
export async function documentOf({ pool }: { pool: Pool }, complianceId: string): Promise<DocumentOf | null> {
  const order = isUuid(complianceId) && (await hasService(pool)) ? await readOrder(pool, { id: complianceId, dialect: embeddedDialect }) : null;
  if (order === null) return null;
  const { documentNumber: number, documentDate: day, month, shopId } = order;
  if (month === null) return { number, day, month: null };
  return { number, day, month: { month, state: (await readMonthState(pool, { shopId, month })).state, due: deadlineOf(month) } };
}

type Deps = { pool: Pool; service: Pick<ComplianceService, 'byHand'> };
type Act = { by: Actor; why?: string };

type CreatedByHand = { id: string; documentNumber: string | null; isNew: boolean };

/**
 * Records an order by hand in our own service; `body` is a CreateOrderDto, `shop` its shop if it names none. Run again with the same order, it finds the
 * recorded one. Refuses in the service's words.
 */
export async function createByHand(deps: Deps, { body, shop, ...act }: Act & { body: unknown; shop?: string }): Promise<CreatedByHand> {
  const order = withShop(body, shop);
  try {
    const { id, documentNumber } = await deps.service.byHand.create({ ...act, shopId: order.shopId, body: order });
    return { id, documentNumber, isNew: true };
  } catch (thrown) {
    if (!(thrown instanceof HttpProblem)) throw thrown;
    const { id } = thrown.extra;
    if (thrown.code === 'order-exists' && id !== undefined) return sameThere(deps, order, id);
    throw refusalOf(thrown);
  }
}

function withShop(body: unknown, shop: string | undefined): { shopId: string } {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw new Refusal('invalid', 'the file must hold one order, as a JSON object');
  const given = 'shopId' in body ? body.shopId : undefined;
  if (shop !== undefined && given !== undefined && given !== shop)
    throw new Refusal('invalid', `the order is of the shop ${String(given)}, and --shop says ${shop}`);
  const shopId = given ?? shop;
  if (typeof shopId !== 'string' || !isUuid(shopId)) {
    throw new Refusal('invalid', { english: 'the order names no shop', advice: 'give its id with --shop (`orderbridge service shops list`)' });
  }
  return { ...body, shopId };
}

/** The order that is recorded under the same internalId, if it is the same. */
async function sameThere({ pool }: Deps, order: unknown, id: string): Promise<CreatedByHand> {
  const there = await recordedOrder({ pool }, id);
  const [wanted, recorded] = [order, asSent(there)].map((dto) => decodeOrder(dto, embeddedDialect));
  if (wanted?.ok && recorded?.ok && sameContent(wanted.order.record, recorded.order.record)) return { id, documentNumber: there.documentNumber, isNew: false };
  throw new Refusal('conflict', {
    english: `another order is recorded with this internalId: ${id}`,
    advice: `\`orderbridge service orders show ${id}\` shows it; delete it first to replace it`,
  });
}

function asSent({ internalId, internalNumber, internalCreatedAt, lineItems, ...order }: ReadOrder): unknown {
  const { paymentType, paymentProcessorName, transactionId, precision, currency, shopId } = order;
  const lines = lineItems.map(({ name, quantity, price, discount, vatRate, vatGroup }) => ({ name, quantity, price, discount, vatRate, vatGroup }));
  const dto = {
    internalId,
    internalNumber,
    internalCreatedAt,
    lineItems: lines,
    paymentType,
    paymentProcessorName,
    transactionId,
    precision,
    currency,
    shopId,
  };
  return JSON.parse(JSON.stringify(dto));
}

function refusalOf(problem: HttpProblem): Refusal {
  const fields = (problem.extra.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
  const said = { en: `the order is refused: ${fields.join('; ')}`, bg: `поръчката е отказана: ${fields.join('; ')}` };
  return new Refusal(problem.status === 404 ? 'missing' : 'invalid', fields.length === 0 ? quoted(problem.message) : said);
}

/** What deleting a recorded order would leave: `order` is the bridge's own, whose record it is; null: no order of the ledger has it. */
export type ToDelete = { recorded: ReadOrder; order: { id: number; name: string } | null };

export async function lookBeforeDelete({ pool }: { pool: Pool }, id: string): Promise<ToDelete> {
  const recorded = await recordedOrder({ pool }, id);
  const order = await orderOfRecord(pool, recorded.shopId, id);
  return { recorded, order: order === null ? null : { id: order.id, name: order.number ?? order.orderId } };
}

/** Deletes a recorded order: its number is voided, or in a closed month it becomes a return. The bridge is not told. */
export async function deleteByHand({ service }: Pick<Deps, 'service'>, { id, ...act }: Act & { id: string }): Promise<void> {
  try {
    await service.byHand.delete({ ...act, id });
  } catch (thrown) {
    throw thrown instanceof HttpProblem ? refusalOf(thrown) : thrown;
  }
}
