import type { Connection } from '../../bridge/connections/connection.ts';
import { termsOf } from '../../bridge/delivery/terms-of.ts';
import { unrecordedOrders } from '../../bridge/ledger/unrecorded-orders.ts';
import { OutstandingMonths } from '../../bridge/reconciliation/outstanding-months.ts';
import { paidOrder } from '../../bridge/reconciliation/unrecorded-order.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { OutstandingMonth } from '../../contract/outstanding-dto.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { listingMonth } from '../../service/law/listing-month.ts';
import { sofiaDay } from '../../service/law/sofia-day.ts';

type Deps = { pool: Pool; connections: { list(): Promise<Connection[]> }; now(): Date };

/** `store`: the names of its connections. `isCut`: not all of its orders were counted. */
export type ShopOutstanding = { shopId: string; store: string; months: OutstandingMonth[]; isCut: boolean };

/** Orders of a shop that are counted while somebody waits. */
const MOST_ORDERS = 1_000;
const MOST_MONTHS = 24;
/** What is being recorded in the usual way is not outstanding. */
const GRACE_MS = 3 * 60_000;

/** The paid orders that are not recorded, by shop and month, as the ledger has them; for a compliance service that keeps its months itself. `allowed` null: all. */
export async function ledgerOutstanding({ pool, connections, now }: Deps, allowed: readonly string[] | null): Promise<ShopOutstanding[]> {
  const seen = (await connections.list()).filter(({ shopId }) => allowed === null || allowed.includes(shopId));
  const today = sofiaDay(now().toISOString());
  const found: ShopOutstanding[] = [];
  for (const [shopId, of] of Map.groupBy(seen, (one) => one.shopId)) {
    const counted = await countedMonths(pool, of, today);
    const store = [...new Set(of.map(({ name }) => name))].join(', ');
    if (counted.months.length > 0) found.push({ shopId, store, ...counted });
  }
  return found.toSorted((a, b) => a.store.localeCompare(b.store));
}

async function countedMonths(pool: Pool, of: readonly Connection[], today: string): Promise<Pick<ShopOutstanding, 'months' | 'isCut'>> {
  const sums = new OutstandingMonths((createdAt) => listingMonth(createdAt, today));
  const byId = new Map(of.map((connection) => [connection.id, connection]));
  let orders = 0;
  for await (const page of unrecordedOrders(pool, of[0]?.shopId ?? '', GRACE_MS)) {
    for (const { connectionId, ...order } of page) {
      const connection = byId.get(connectionId);
      const paid = connection === undefined ? null : paidOrder(order, termsOf(connection, storefrontOf(storefronts, connection.platform)));
      if (paid !== null) sums.add(paid);
    }
    orders += page.length;
    if (orders >= MOST_ORDERS) return { months: sums.list(MOST_MONTHS), isCut: true };
  }
  return { months: sums.list(MOST_MONTHS), isCut: false };
}
