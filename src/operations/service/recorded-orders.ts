import { embeddedDialect } from '../../contract/dialect.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import type { ReadOrder } from '../../service/reading/read-order-dto.ts';
import { listOrders, readOrder } from '../../service/reading/read-orders.ts';
import { writeServiceActs } from '../../service/trail/service-acts.ts';
import { Refusal } from '../refusal.ts';
import { knownShop } from './known-shop.ts';

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
  return new Refusal(
    'missing',
    { en: `no order ${id} is recorded here`, bg: `тук не е записана поръчка ${id}` },
    { advice: { en: '`orderbridge service orders list` shows them', bg: '`orderbridge service orders list` ги показва' } },
  );
}
