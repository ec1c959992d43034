import type { Connection } from '../../bridge/connections/connection.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { listShops } from '../../service/reading/read-shops.ts';

type Deps = { pool: Pool; connections: { list(): Promise<Connection[]> }; service: object | null };

export type NamedShop = { id: string; name: string };

const MOST = 1_000;

/** Shops of the compliance service as people know them: by their names there if it is ours, else by those of their stores. */
export async function namedShops({ pool, connections, service }: Deps): Promise<NamedShop[]> {
  const own = service === null ? [] : (await listShops(pool, { limit: MOST })).items;
  const stores = new Map<string, Set<string>>();
  for (const { shopId, name } of await connections.list()) stores.set(shopId, (stores.get(shopId) ?? new Set()).add(name));
  const known = new Map([...stores].map(([id, names]) => [id, [...names].join(', ')]));
  for (const { id, name } of own) known.set(id, name);
  return [...known].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name));
}
