import { type Connection, liveSecrets } from '../../bridge/connections/connection.ts';
import { meansToTry } from '../../bridge/store-api/store-means.ts';
import type { FetchJson, StoreAccess } from '../../bridge/storefronts/contract.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { FindConnection } from './known-connection.ts';
import { reconnectStore } from './reconnect-store.ts';
import { storeIdentity } from './store-identity.ts';
import { tryAccess, withPatience } from './try-access.ts';

type Deps = Omit<Parameters<typeof reconnectStore>[0], 'compliance' | 'patience' | 'connections'> & {
  connections: FindConnection & Parameters<typeof reconnectStore>[0]['connections'];
};

/** `url`: where the store's API is called from now on. `works` false: it is not reached there, nor at the host that the store moved to. */
export type MovedAccess = { url: string; works: boolean };

/**
 * Calls the store's API at the host that it moved to, if it no longer answers where it was: with the same key, and only if what answers is no other store.
 * Null: there is nothing to change.
 */
export async function moveAccess(deps: Deps, connection: Connection, host: string): Promise<MovedAccess | null> {
  const { access, closedAt, destinationId, storeIdentity: known } = connection;
  if (access === null || closedAt !== null || storeHost(access.url) === host) return null;
  if ((await answers(deps, connection, access)) !== null) return null;
  for (const name of [host, `www.${host}`]) {
    const url = `https://${name}${new URL(access.url).pathname.replace(/\/+$/, '')}`;
    const found = await answers(deps, connection, { ...access, url });
    if (found === null || (found.identity !== null && known !== null && found.identity !== known)) continue;
    const given = { name: null, secret: null, credentials: null, settings: null, recordFrom: null };
    const identity = found.identity === null ? {} : { identity: found.identity };
    const compliance = { destination: async () => destinationId };
    await reconnectStore({ ...deps, compliance }, connection, { ...given, ...identity, access: { ...access, url }, url });
    return { url, works: true };
  }
  return { url: access.url, works: false };
}

/** What answers there with this key. `identity` null: it does not say who it is. Null: nothing that can be used. */
async function answers(deps: { fetchJson: FetchJson }, connection: Connection, access: StoreAccess): Promise<{ identity: string | null } | null> {
  const storefront = storefrontOf(storefronts, connection.platform);
  const [secret] = liveSecrets(connection, Date.now());
  const fetchJson = withPatience(deps.fetchJson);
  const identity = await storeIdentity(storefront, access, meansToTry(fetchJson, secret));
  if (identity !== null) return { identity };
  return (await tryAccess({ storefront, access, secret, fetchJson })).length === 0 ? { identity } : null;
}
