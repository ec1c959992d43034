import type { Connection } from '../../bridge/connections/connection.ts';
import { type After, countByState, findOrders as findInLedger, type OrdersWanted } from '../../bridge/ledger/find-orders.ts';
import { type KeptOrder, keptOrders } from '../../bridge/ledger/kept-order.ts';
import type { NothingReason } from '../../bridge/order/desired.ts';
import type { OrderState } from '../../bridge/order/order-state.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { heldOrders } from './held-orders.ts';
import { type OrderBrief, orderBrief } from './order-brief.ts';
import { shouldStand } from './order-report.ts';

/** `paidAt`: or when it was placed; null: not known. `ignored`: why an ignored order is. `revision`: with state and code, what was seen of it. */
export type FoundOrder = OrderBrief & { revision: number; shopId: string; paidAt: string | null; isPaid: boolean; ignored: NothingReason | null };

/** `next`: where the next page begins; null: this is the last. `unreadable`: how many rows can't be read. */
export type OrdersPage = { orders: FoundOrder[]; next: string | null; unreadable: number };

const PAGE = 50;

type Deps = { pool: Pool; connections: readonly Connection[] };

/** A page of the orders that are wanted, the newest first; `after` as an earlier page gave it. `connections`: those that may be shown. */
export async function findOrders(
  { pool, connections }: Deps,
  wanted: OrdersWanted,
  { after, size = PAGE }: { after: string; size?: number },
): Promise<OrdersPage> {
  const places = await findInLedger(pool, wanted, { after: placeOf(after, wanted), limit: size + 1 });
  const shown = places.slice(0, size);
  const last = shown.at(-1);
  const ids = shown.map(({ id }) => id);
  const { orders, unreadable } = ids.length === 0 ? { orders: [], unreadable: [] } : await keptOrders(pool, { ids, limit: size });
  const byId = new Map(orders.map((order) => [order.id, order]));
  const holds = await heldOrders(pool, orders, connections);
  const found = ids.flatMap((id) => byId.get(id) ?? []).map((order) => foundOrder(order, connections, holds.get(order.id) ?? null));
  return { orders: found, next: places.length > size && last !== undefined ? textOf(last) : null, unreadable: unreadable.length };
}

/** None beyond so many are counted: a list says "10,000+". */
export const MOST_COUNTED = 10_000;

/** How many are in each state, of the stores that may be shown. */
export function countStates({ pool }: { pool: Pool }, { connections }: Pick<OrdersWanted, 'connections'>): Promise<ReadonlyMap<OrderState, number>> {
  return countByState(pool, connections, MOST_COUNTED + 1);
}

function foundOrder(order: KeptOrder, connections: readonly Connection[], held: OrderBrief['held']): FoundOrder {
  const { revision, shopId, facts } = order;
  const { snapshot } = facts;
  return {
    ...orderBrief(order, held),
    revision,
    shopId,
    paidAt: snapshot?.paidAt ?? facts.paidAt ?? snapshot?.placedAt ?? null,
    isPaid: snapshot !== null && snapshot.payment !== 'unpaid',
    ignored: order.state === 'ignored' ? whyIgnored(order, connections) : null,
  };
}

function whyIgnored(order: KeptOrder, connections: readonly Connection[]): NothingReason | null {
  const connection = connections.find(({ id }) => id === order.connectionId);
  const wanted = connection === undefined ? null : shouldStand(order, connection);
  return wanted?.kind === 'nothing' ? wanted.why : null;
}

function textOf({ id, sold }: After): string {
  return sold === null ? String(id) : `${id}~${sold}`;
}

function placeOf(after: string, { sold }: OrdersWanted): After | null {
  const [, id, at] = /^(\d{1,15})(?:~([\d:.TZ-]{10,40}))?$/.exec(after) ?? [];
  return id === undefined || (sold === null) !== (at === undefined) ? null : { id: Number(id), sold: at ?? null };
}
