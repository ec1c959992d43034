import type { Connection } from '../../bridge/connections/connection.ts';
import { termsOf } from '../../bridge/delivery/terms-of.ts';
import { unrecordedOrders } from '../../bridge/ledger/unrecorded-orders.ts';
import { paidOrder } from '../../bridge/reconciliation/unrecorded-order.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { monthsListing } from '../../service/audit/month/months-listing.ts';
import { hasService } from '../../service/database/has-service.ts';
import { listingMonth } from '../../service/law/listing-month.ts';
import { sofiaDay } from '../../service/law/sofia-day.ts';

/** `connections`: those that may be seen. */
type Deps = { pool: Pool; connections: readonly Connection[]; now: Date };

/** `isCut`: only the first of the shop's waiting orders were looked at. */
export type MissingOrders = { ids: number[]; isCut: boolean };

/** Orders of a shop that are looked at while somebody waits. */
const MOST_ORDERS = 2_000;
/** What is being recorded in the usual way is not missing. */
const GRACE_MS = 3 * 60_000;

/** The paid orders that the file of a month will lack, by their ids: those that are counted where months are shown. */
export async function missingOrders({ pool, connections, now }: Deps, { shopId, month }: { shopId: string; month: string }): Promise<MissingOrders> {
  const byId = new Map(connections.filter((one) => one.shopId === shopId).map((one) => [one.id, one]));
  if (byId.size === 0) return { ids: [], isCut: false };
  const today = sofiaDay(now.toISOString());
  const found: { id: number; month: string }[] = [];
  let looked = 0;
  for await (const page of unrecordedOrders(pool, shopId, GRACE_MS)) {
    for (const { id, connectionId, ...order } of page) {
      const connection = byId.get(connectionId);
      const paid = connection === undefined ? null : paidOrder(order, termsOf(connection, storefrontOf(storefronts, connection.platform)));
      if (paid !== null) found.push({ id, month: listingMonth(paid.createdAt, today) });
    }
    looked += page.length;
    if (looked >= MOST_ORDERS) break;
  }
  const own = [...new Set(found.map((one) => one.month))];
  const listing = (await hasService(pool)) ? await monthsListing(pool, { shopId, months: own, now }) : new Map(own.map((one) => [one, one]));
  return { ids: found.filter((one) => listing.get(one.month) === month).map(({ id }) => id), isCut: looked >= MOST_ORDERS };
}
