import type { Connection } from '../../bridge/connections/connection.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { ordersByBuyer, ordersByPart, ordersByTotal, searchLag } from '../../bridge/ledger/orders/order-search.ts';
import { emailAddress } from '../../contract/email-address.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ListedDelivery } from '../connections/store-webhooks.ts';
import { type FoundOrder, findOrders } from '../orders/find-orders.ts';
import { idsOfName } from '../orders/named-order.ts';
import { typedAmount } from '../orders/orders-wanted.ts';
import { findWebhooks } from '../webhooks/find-webhooks.ts';

/** What a text may be; null: it is none. `part`: the beginning or end of a number. `amount`: decimal text. */
export type SoughtText = { text: string; part: string | null; amount: string | null; email: string | null };

const SHORTEST_PART = 3;

export function soughtIn(typed: string): SoughtText {
  const text = typed.trim().slice(0, 254);
  const part = text.replace(/^#/, '');
  const isPart = [...part].length >= SHORTEST_PART && !text.includes('@');
  return { text, part: isPart ? part : null, amount: typedAmount(text), email: emailAddress.safeParse(text).success ? text : null };
}

/** `connections`: those that may be shown; `isAll`: they are all there are. */
type Deps = { pool: Pool; connections: readonly Connection[]; isAll: boolean };

/** `isMore`: there are others. */
export type FoundGroup = { by: 'name' | 'part' | 'amount' | 'buyer'; orders: FoundOrder[]; isMore: boolean };

/** `lagSeconds`: how far all is behind but whole numbers and ids. */
export type Found = { groups: FoundGroup[]; webhooks: ListedDelivery[]; stores: Connection[]; lagSeconds: number };

/** Of one kind. */
const MOST = 10;

/** All that a text may mean, but for a buyer. */
export async function findAnything(deps: Deps, { text, part, amount }: SoughtText): Promise<Found> {
  const { pool, connections } = deps;
  const look = lookOf(deps);
  const [named, byPart, byAmount, { webhooks }, lagSeconds] = await Promise.all([
    idsOfName(deps, text, look.connections),
    part === null ? [] : ordersByPart(pool, part, look),
    amount === null ? [] : ordersByTotal(pool, amount, look),
    findWebhooks(deps, { q: text, topic: '', answer: null, days: { from: '', to: '' } }, { after: '', before: '' }),
    searchLag(pool),
  ]);
  const others = byPart.filter((id) => !named.includes(id));
  const groups = await Promise.all([group(deps, 'name', named), group(deps, 'part', others), group(deps, 'amount', byAmount)]);
  const lower = text.toLowerCase();
  const stores = connections.filter(({ name, store }) => [name, store].some((one) => one?.toLowerCase().includes(lower))).slice(0, MOST);
  return { groups: groups.filter(({ orders }) => orders.length > 0), webhooks: webhooks.slice(0, MOST), stores, lagSeconds };
}

/** The orders of the buyer with this e-mail address. The look is written into the audit log, without the address, before anything is shown. */
export async function findByBuyer(deps: Deps, { email, by }: { email: string; by: Actor }): Promise<Found> {
  const { pool } = deps;
  const ids = await ordersByBuyer(pool, email, lookOf(deps));
  await writeBridgeActs(pool, [{ who: by, act: 'buyer.sought', after: { orders: ids.slice(0, MOST) } }]);
  const [found, lagSeconds] = await Promise.all([group(deps, 'buyer', ids), searchLag(pool)]);
  return { groups: found.orders.length === 0 ? [] : [found], webhooks: [], stores: [], lagSeconds };
}

function lookOf({ connections, isAll }: Deps): { connections: string[] | null; limit: number } {
  return { connections: isAll ? null : connections.map(({ id }) => id), limit: MOST + 1 };
}

async function group(deps: Deps, by: FoundGroup['by'], ids: readonly number[]): Promise<FoundGroup> {
  const wanted = { connections: lookOf(deps).connections, state: null, code: null, sold: null, total: null, ids };
  const { orders, next } = ids.length === 0 ? { orders: [], next: null } : await findOrders(deps, wanted, { after: '', size: MOST });
  return { by, orders, isMore: next !== null };
}
