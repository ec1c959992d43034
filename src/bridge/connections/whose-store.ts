import type { Storefront } from '../storefronts/contract.ts';
import { storeHost } from '../storefronts/store-host.ts';
import type { Connection } from './connection.ts';

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
  const of = (verdict: string) => hosts.filter((one) => one.verdict === verdict).map(({ host }) => host);
  const foreign = of('not-ours');
  return [...new Set([...(first === null ? [] : [first]), ...of('ours')])].filter((host) => !foreign.includes(host));
}

/** Whether a delivery that names this store is the connection's. first: the store has no name yet, and gets this one. */
export function whoseStore(storefront: Pick<Storefront, 'hostOf'>, connection: Named, store: string): { host: string; whose: 'ours' | 'first' | 'other' } {
  const host = hostOf(storefront, store) ?? storeHost(store) ?? UNREADABLE;
  const verdict = connection.hosts.find((one) => one.host === host)?.verdict;
  if (verdict !== undefined) return { host, whose: verdict === 'ours' ? 'ours' : 'other' };
  if (connection.store === null) return { host, whose: 'first' };
  return { host, whose: knownHosts(storefront, connection).includes(host) ? 'ours' : 'other' };
}
