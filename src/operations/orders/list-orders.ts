import type { Connection } from '../../bridge/connections/connection.ts';
import { type KeptOrder, keptOrders, type OrdersFilter } from '../../bridge/ledger/kept-order.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { heldOrders } from './held-orders.ts';
import { ignoredWords } from './ignored-words.ts';
import { idsOfName } from './named-order.ts';
import { type OrderBrief, orderBrief } from './order-brief.ts';
import { shouldStand } from './order-report.ts';

type Deps = { pool: Pool; connections: FindConnection };

/**
 * `more`: further ones fit, beyond `limit`. `ignoredFor`: by an order's id, why it is ignored. `connections`: all of them. `unreadable`: rows of the
 * page that can't be read, by table, id and field.
 */
export type ListedOrders = {
  orders: OrderBrief[];
  ignoredFor: ReadonlyMap<number, Said>;
  connections: readonly Connection[];
  unreadable: readonly Error[];
  more: boolean;
};

/** Orders, the newest first; `connection`: its id, the beginning of that, or its name; `number`: only those that a person may mean by it. */
export async function listOrders(
  { pool, connections }: Deps,
  { limit, number, connection: named, ...filter }: Omit<OrdersFilter, 'ids'> & { number?: string; limit: number },
): Promise<ListedOrders> {
  const connection = named === undefined ? {} : { connection: (await knownConnection(connections, named)).id };
  const ids = number === undefined ? undefined : await idsOfName({ pool }, number);
  const { orders, unreadable } = await keptOrders(pool, { ...filter, ...connection, ids, limit: limit + 1 });
  const all = await connections.list();
  const shown = orders.slice(0, limit);
  const holds = await heldOrders(pool, shown, all);
  const briefs = shown.map((order) => orderBrief(order, holds.get(order.id) ?? null));
  return { orders: briefs, ignoredFor: reasons(shown, all), connections: all, unreadable, more: orders.length + unreadable.length > limit };
}

function reasons(views: readonly KeptOrder[], connections: readonly Connection[]): Map<number, Said> {
  const byId = new Map(connections.map((connection) => [connection.id, connection]));
  return new Map(
    views.flatMap((view) => {
      const connection = byId.get(view.connectionId);
      if (view.state !== 'ignored' || connection === undefined) return [];
      const wanted = shouldStand(view, connection);
      const words = wanted.kind === 'nothing' ? ignoredWords(view, wanted.why, connection) : null;
      return words === null ? [] : [[view.id, words] as const];
    }),
  );
}
