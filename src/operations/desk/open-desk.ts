import type { Connection } from '../../bridge/connections/connection.ts';
import { type AskedOrder, askedOrders } from '../../bridge/ledger/asked-groups.ts';
import { ordersOfIds } from '../../bridge/ledger/kept-order.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { type AskedGroup, askedGroup, type SeenShops } from './asked-group.ts';
import { type Chosen, chosenElsewhere, chosenIn } from './chosen-settings.ts';
import { type LinesAndPaid, linesAndPaid } from './lines-and-paid.ts';

type Deps = { pool: Pool; connections: FindConnection; now(): Date };

/** `stores`: their names. */
export type Elsewhere = { chosen: Chosen; stores: string[] };

/** One question with all that answers it. */
export type Desk = {
  group: AskedGroup;
  connection: Connection;
  /** What is set now for each of its settings. */
  chosen: Chosen[];
  /** What other stores chose. */
  elsewhere: Elsewhere[];
  /** The newest ones. */
  orders: AskedOrder[];
  /** Of the first few, if that is what does not agree. */
  mismatches: LinesAndPaid[];
};

const SHOWN = 50;
const COMPARED = 10;

/** Null: nobody is asked this any more. */
export async function openDesk({ pool, connections, now }: Deps, { id, shops }: SeenShops & { id: string }): Promise<Desk | null> {
  const group = await askedGroup({ pool, connections, now }, { id, shops });
  if (group === null) return null;
  const [connection, all, orders] = await Promise.all([
    knownConnection(connections, group.connectionId),
    connections.list(),
    askedOrders(pool, group, { limit: SHOWN }),
  ]);
  const seen = all.filter(({ shopId }) => shops === null || shops.includes(shopId));
  return {
    ...{ group, connection, orders },
    chosen: group.settings.map((asked) => chosenIn(connection, asked)),
    elsewhere: group.settings.flatMap((asked) => chosenElsewhere(seen, { connectionId: connection.id, asked })),
    mismatches: group.code === 'total.mismatch' ? await compared(pool, orders) : [],
  };
}

async function compared(pool: Pool, orders: readonly AskedOrder[]): Promise<LinesAndPaid[]> {
  const ids = orders.slice(0, COMPARED).map(({ id }) => id);
  return (await ordersOfIds(pool, ids)).flatMap((order) => linesAndPaid(order) ?? []);
}

/** An order of a group as it is asked about now; null: it is not among them any more. */
export async function orderOnDesk({ pool }: { pool: Pool }, group: AskedGroup, id: number): Promise<AskedOrder | null> {
  const [order] = await askedOrders(pool, group, { limit: 1, only: id });
  return order ?? null;
}
