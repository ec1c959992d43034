import { storeHost } from '../storefronts/store-host.ts';
import type { Connection } from './connection.ts';
import type { GivenStore } from './new-connection.ts';

type Verdict =
  | { is: 'none' }
  | { is: 'same'; earlier: Connection }
  | { is: 'other' | 'undecided'; earlier: Connection }
  | { is: 'unclear'; among: Connection[] };

/** Which disconnected store this one is. `closed`: the disconnected connections of the same shop and platform, the best guess first. */
export function earlierStore(given: GivenStore, closed: readonly Connection[]): Verdict {
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
  const of = (verdict: string) => hosts.filter((one) => one.verdict === verdict).map(({ host }) => host);
  const known = new Set([...texts.flatMap((text) => storeHost(text) ?? []), ...of('ours')]);
  return known.difference(new Set(of('not-ours')));
}

function isSame({ hosts, identity }: GivenStore, one: Connection): boolean {
  const known = hostsOf(one);
  return hosts.some((host) => known.has(host)) || (identity !== null && identity === one.storeIdentity);
}

function claimed(given: GivenStore, closed: readonly Connection[], id: string | null): Verdict {
  const meant = id === null ? closed : closed.filter((one) => one.id === id);
  const same = meant.find((one) => isSame(given, one)) ?? meant[0];
  const stores = new Set(meant.map(({ store }) => store && storeHost(store)));
  const isClear = stores.size === 1 || meant.some((one) => isSame(given, one));
  return same !== undefined && isClear ? { is: 'same', earlier: same } : { is: 'unclear', among: [...closed] };
}
