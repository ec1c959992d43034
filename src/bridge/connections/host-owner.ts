import type { Storefront } from '../storefronts/contract.ts';
import { storeHost } from '../storefronts/store-host.ts';
import type { Connection } from './connection.ts';
import type { GivenStore } from './new-connection.ts';

type Named = Pick<Connection, 'store' | 'hosts'>;

/** What a delivery is filed under whose store can't be read as a host; `.invalid` is nobody's. */
const UNREADABLE = 'unreadable.invalid';

/** The host that deliveries name for a store of this name; null: no delivery names its store so. */
export function hostOf({ hostOf: own = storeHost }: Pick<Storefront, 'hostOf'>, store: string): string | null {
  return own(store);
}

/** The hosts that are the store's and that deliveries can name. Empty: the next delivery decides. */
export function knownHosts(storefront: Pick<Storefront, 'hostOf'>, { store, hosts }: Named): string[] {
  const first = store === null ? null : hostOf(storefront, store);
  const of = (ownership: string) => hosts.filter((one) => one.ownership === ownership).map(({ host }) => host);
  const foreign = of('not-ours');
  return [...new Set([...(first === null ? [] : [first]), ...of('ours')])].filter((host) => !foreign.includes(host));
}

/** Whether a delivery that names this store is the connection's. first: the store has no name yet, and gets this one. */
export function hostOwner(storefront: Pick<Storefront, 'hostOf'>, connection: Named, store: string): { host: string; owner: 'ours' | 'first' | 'other' } {
  const host = hostOf(storefront, store) ?? storeHost(store) ?? UNREADABLE;
  const ownership = connection.hosts.find((one) => one.host === host)?.ownership;
  if (ownership !== undefined) return { host, owner: ownership === 'ours' ? 'ours' : 'other' };
  if (connection.store === null) return { host, owner: 'first' };
  return { host, owner: knownHosts(storefront, connection).includes(host) ? 'ours' : 'other' };
}

/**
 * True if the host is the store of another live connection whose webhooks have the same secret, that of an app: no signature tells which of
 * the two a delivery is of. `namesakes`: connections that may have the host.
 */
export function isElsewhere(storefront: Storefront, { connection, host }: { connection: Connection; host: string }, namesakes: readonly Connection[]): boolean {
  const secrets = new Set(connection.secrets.map(({ secret }) => secret));
  return namesakes.some(
    (one) =>
      one.id !== connection.id && one.closedAt === null && one.secrets.some(({ secret }) => secrets.has(secret)) && knownHosts(storefront, one).includes(host),
  );
}

type EarlierStore =
  | { is: 'none' }
  | { is: 'same'; earlier: Connection }
  | { is: 'other' | 'undecided'; earlier: Connection }
  | { is: 'unclear'; among: Connection[] };

/** Which disconnected store this one is. `closed`: the disconnected connections of the same shop and platform, the best guess first. */
export function earlierStore(given: GivenStore, closed: readonly Connection[]): EarlierStore {
  if (given.claim?.is === 'same') return claimed(given, closed, given.claim.connectionId);
  // One that never took an order and has no address leaves nothing to go on with.
  const [latest] = given.ownShop ? closed : closed.filter(({ store, access }) => store !== null || access !== null);
  if (latest === undefined) return { is: 'none' };
  if (given.claim?.is === 'new') return { is: 'other', earlier: latest };
  const same = given.ownShop ? latest : closed.find((one) => isSame(given, one));
  if (same !== undefined) return { is: 'same', earlier: same };
  return { is: given.hosts.length === 0 ? 'undecided' : 'other', earlier: latest };
}

/** The disconnected store that a delivery from this host is of. */
export function storeOfHost(store: string, closed: readonly Connection[]): Connection | undefined {
  const host = storeHost(store);
  return closed.find((one) => host !== null && one.store !== null && hostsIn(one, [one.store]).has(host));
}

/** Every host of a connection's store that is known. */
function hostsOf(connection: Connection): Set<string> {
  const { store, access } = connection;
  return hostsIn(connection, [...(store === null ? [] : [store]), ...(access === null ? [] : [access.url])]);
}

function hostsIn({ hosts }: Connection, texts: readonly string[]): Set<string> {
  const of = (ownership: string) => hosts.filter((one) => one.ownership === ownership).map(({ host }) => host);
  const known = new Set([...texts.flatMap((text) => storeHost(text) ?? []), ...of('ours')]);
  return known.difference(new Set(of('not-ours')));
}

function isSame({ hosts, identity }: GivenStore, one: Connection): boolean {
  const known = hostsOf(one);
  return hosts.some((host) => known.has(host)) || (identity !== null && identity === one.storeIdentity);
}

function claimed(given: GivenStore, closed: readonly Connection[], id: string | null): EarlierStore {
  const meant = id === null ? closed : closed.filter((one) => one.id === id);
  const same = meant.find((one) => isSame(given, one)) ?? meant[0];
  const stores = new Set(meant.map(({ store }) => store && storeHost(store)));
  const isClear = stores.size === 1 || meant.some((one) => isSame(given, one));
  return same !== undefined && isClear ? { is: 'same', earlier: same } : { is: 'unclear', among: [...closed] };
}
