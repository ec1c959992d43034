import type { Connection } from '../../bridge/connections/connection.ts';

/** What people call the store of a connection, by the connection's id. */
export type StoreNames = (connectionId: string) => string;

/** Shown of an id beside a name that several connections have. */
const LEAST = 8;

/** The names of stores, with the beginning of the id where several have the same name; of a connection that is not among them, its id. */
export function storeNames(connections: readonly Pick<Connection, 'id' | 'name'>[]): StoreNames {
  const ids = connections.map(({ id }) => id);
  const uses = Map.groupBy(connections, ({ name }) => name);
  const names = new Map(connections.map(({ id, name }) => [id, (uses.get(name) ?? []).length > 1 ? `${name} (${shortId(id, ids)})` : name]));
  return (connectionId) => names.get(connectionId) ?? connectionId;
}

/** The shortest beginning of an id that no other of `all` has, and which commands take for it. */
export function shortId(id: string, all: readonly string[]): string {
  for (let length = LEAST; length < id.length; length += 1) {
    const short = id.slice(0, length);
    if (!all.some((other) => other !== id && other.startsWith(short))) return short;
  }
  return id;
}
