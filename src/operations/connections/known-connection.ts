import type { Connection } from '../../bridge/connections/connection.ts';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { Refusal } from '../refusal.ts';

export type FindConnection = { find(id: string): Promise<Connection | null>; list(): Promise<Connection[]> };

/**
 * The connection that a person names: by its id, by the beginning of that if no other begins so, or by the name of its store, of which live ones
 * go before disconnected ones. Refuses if there is none; if there are several, it lists them. From then on the id counts, not what was typed.
 */
export async function knownConnection(connections: FindConnection, named: string): Promise<Connection> {
  const exact = await connections.find(named);
  if (exact !== null) return exact;
  const all = await connections.list();
  const [first, ...others] = namedAmong(all, named);
  if (first === undefined) throw unknownConnection(named, all);
  if (others.length > 0) throw severalConnections(named, [first, ...others]);
  // A list leaves out secrets that don't open; one connection alone says so.
  return (await connections.find(first.id)) ?? first;
}

function severalConnections(named: string, all: readonly Connection[]): Refusal {
  return new Refusal('conflict', {
    en: `${named} names several connections`,
    bg: `${named} е име на няколко връзки`,
    advice: { en: 'say which by its id', bg: 'посочете коя с идентификатора ѝ' },
    choices: {
      header: ['name', 'state', 'store', 'compliance shop', 'connection'],
      rows: all.map(({ id, name, store, shopId, closedAt }) => [name, closedAt === null ? 'connected' : 'disconnected', store, shopId, id]),
    },
  });
}

export function unknownConnection(named: string, all: readonly Connection[] = []): Refusal {
  const names = all.flatMap(({ id, name }) => [id, name]);
  return new Refusal('missing', {
    en: `no connection has the id ${named}, and no store this name${didYouMean(named, names)}`,
    bg: `няма връзка с идентификатор ${named}, нито магазин с това име${didYouMean(named, names, 'bg')}`,
    advice: '`orderbridge connections` lists them',
  });
}

type Named = Pick<Connection, 'id' | 'name' | 'closedAt'>;

/** How every id begins. */
const ID_BEGINS = 'c_';
/** A shorter beginning of an id is a slip of the finger. */
const LEAST = 4;

/** The connections that a person may mean: several only if nothing tells them apart. A name in any case; live ones go before disconnected ones. */
export function namedAmong<One extends Named>(all: readonly One[], named: string): One[] {
  const byId = all.filter(({ id }) => id === named);
  if (byId.length > 0) return byId;
  const byName = all.filter(({ name }) => folded(name) === folded(named));
  if (byName.length > 0) return liveFirst(byName);
  return named.startsWith(ID_BEGINS) && named.length >= LEAST ? all.filter(({ id }) => id.startsWith(named)) : [];
}

function liveFirst<One extends Named>(all: One[]): One[] {
  const live = all.filter(({ closedAt }) => closedAt === null);
  return live.length > 0 ? live : all;
}

function folded(name: string): string {
  return name.normalize('NFC').trim().toLocaleLowerCase();
}

/** What people call the store of a connection, by the connection's id. */
export type StoreNames = (connectionId: string) => string;

/** Shown of an id beside a name that several connections have. */
const SHORTEST_ID = 8;

/** The names of stores, with the beginning of the id where several have the same name; of a connection that is not among them, its id. */
export function storeNames(connections: readonly Pick<Connection, 'id' | 'name'>[]): StoreNames {
  const ids = connections.map(({ id }) => id);
  const uses = Map.groupBy(connections, ({ name }) => name);
  const names = new Map(connections.map(({ id, name }) => [id, (uses.get(name) ?? []).length > 1 ? `${name} (${shortId(id, ids)})` : name]));
  return (connectionId) => names.get(connectionId) ?? connectionId;
}

/** The shortest beginning of an id that no other of `all` has, and which commands take for it. */
export function shortId(id: string, all: readonly string[]): string {
  for (let length = SHORTEST_ID; length < id.length; length += 1) {
    const short = id.slice(0, length);
    if (!all.some((other) => other !== id && other.startsWith(short))) return short;
  }
  return id;
}

/** The live connection of this id or name, or all of them. */
export async function liveConnections(connections: FindConnection, id: string | undefined): Promise<Connection[]> {
  if (id === undefined) return (await connections.list()).filter(({ closedAt }) => closedAt === null);
  const connection = await knownConnection(connections, id);
  if (connection.closedAt === null) return [connection];
  throw new Refusal('conflict', {
    en: `${id} is disconnected, so nothing of its store is recorded`,
    bg: `${id} е изключена и от магазина ѝ не се записва нищо`,
    advice: { en: 'connect the store again first', bg: 'първо свържете магазина отново' },
  });
}
