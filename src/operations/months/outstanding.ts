import { type Connection, termsOf } from '../../bridge/connections/connection.ts';
import { unrecordedOrders } from '../../bridge/ledger/alerts/outstanding-store.ts';
import { OutstandingMonths, paidOrder } from '../../bridge/reconciliation/report-outstanding.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { byName } from '../../contract/local-text.ts';
import type { OutstandingMonth } from '../../contract/outstanding-dto.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../service/audit/month/month-state.ts';
import { monthsListing, readOutstanding } from '../../service/audit/month/outstanding.ts';
import type { Outstanding } from '../../service/audit/summary/month-summary.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { sofiaDay } from '../../service/law/calendar.ts';
import { listingMonth } from '../../service/law/deadlines.ts';

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
  return found.toSorted((a, b) => byName(a.store, b.store));
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

/** The paid orders of a month that are not recorded; undefined: none, or nothing is known of any. */
export function outstandingOf({ pool, now }: Pick<AuditDeps, 'pool' | 'now'>, key: MonthKey): Promise<Outstanding | undefined> {
  return readOutstanding(pool, key, now());
}

/** `connections`: those that may be seen. */
type MissingDeps = { pool: Pool; connections: readonly Connection[]; now: Date };

/** `isCut`: only the first of the shop's waiting orders were looked at. */
export type MissingOrders = { ids: number[]; isCut: boolean };

/** Orders of a shop that are looked at while somebody waits. */
const MOST_WAITING = 2_000;
/** What is being recorded in the usual way is not missing. */

/** The paid orders that the file of a month will lack, by their ids: those that are counted where months are shown. */
export async function missingOrders({ pool, connections, now }: MissingDeps, { shopId, month }: { shopId: string; month: string }): Promise<MissingOrders> {
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
    if (looked >= MOST_WAITING) break;
  }
  const own = [...new Set(found.map((one) => one.month))];
  const listing = (await hasService(pool)) ? await monthsListing(pool, { shopId, months: own, now }) : new Map(own.map((one) => [one, one]));
  return { ids: found.filter((one) => listing.get(one.month) === month).map(({ id }) => id), isCut: looked >= MOST_WAITING };
}
