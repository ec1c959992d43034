import type { Connection } from '../../bridge/connections/connection.ts';
import { deliveriesInReview, type KeptDelivery, type QuarantinedHost, quarantinedHosts } from '../../bridge/ledger/delivery-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { storeNames } from '../connections/known-connection.ts';
import type { SeenShops } from './issue-group.ts';

type Deps = { pool: Pool; connections: { list(): Promise<Connection[]> } };

/** A webhook that can't be read, and a host of which nobody said whose it is, with the name of the connection's store. */
export type UnreadableWebhook = KeptDelivery & { storeName: string };
export type UnknownHost = QuarantinedHost & { storeName: string };

export async function unreadableWebhooks({ pool, connections }: Deps, seen: SeenShops): Promise<UnreadableWebhook[]> {
  return ofShops(await deliveriesInReview(pool), await connections.list(), seen);
}

export async function unknownHosts({ pool, connections }: Deps, seen: SeenShops): Promise<UnknownHost[]> {
  return ofShops(await quarantinedHosts(pool), await connections.list(), seen);
}

/** Is the connection one of these shops'? */
export async function isOfShops({ connections }: Pick<Deps, 'connections'>, connectionId: string, { shops }: SeenShops): Promise<boolean> {
  return shops === null || (await connections.list()).some(({ id, shopId }) => id === connectionId && shops.includes(shopId));
}

function ofShops<T extends { connectionId: string }>(some: readonly T[], all: readonly Connection[], { shops }: SeenShops): (T & { storeName: string })[] {
  const nameOf = storeNames(all);
  const seen = new Set(all.filter(({ shopId }) => shops === null || shops.includes(shopId)).map(({ id }) => id));
  return some.filter(({ connectionId }) => seen.has(connectionId)).map((one) => ({ ...one, storeName: nameOf(one.connectionId) }));
}
