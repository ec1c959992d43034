import { type Connection, liveSecrets } from '../../bridge/connections/connection.ts';
import { knownHosts } from '../../bridge/connections/host-owner.ts';
import { dismissQuarantined } from '../../bridge/ledger/deliveries/delivery-store.ts';
import { judgeHost } from '../../bridge/ledger/deliveries/store-hosts.ts';
import { meansToTry } from '../../bridge/store-api/store-means.ts';
import type { FetchJson, StoreAccess } from '../../bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { storeHost, withoutEndSlashes } from '../../bridge/storefronts/store-host.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { Refusal } from '../refusal.ts';
import { type FindConnection, knownConnection } from './known-connection.ts';
import { reconnectStore } from './reconnect-store.ts';
import { type Taken, takeQuarantined, typedHost } from './store-hosts.ts';
import { fetchWithTimeout, storeIdentity, verifyStoreCredentials } from './verify-credentials.ts';

/** `dismissed`: webhooks of the host that were not kept before. `api`: where the store's API is called from now on; null: where it was. */
export type Moved = Taken & { host: string; dismissed: number; api: MovedAccess | null };

/** Declares a host the store's, beside those that it has, and hands on what was quarantined of it. Repeating it changes nothing, and finishes what was cut short. */
export async function movedStore(deps: Parameters<typeof moveAccess>[0], { id: named, host: typed }: { id: string; host: string }): Promise<Moved> {
  const { pool, connections, by } = deps;
  const connection = await knownConnection(connections, named);
  const { id, platform } = connection;
  const host = typedHost(storefrontOf(storefronts, platform), connection, typed);
  // From this moment on nothing more of it is quarantined, so that the pages come to an end.
  const dismissed = await judgeHost(pool, { connectionId: id, host, ownership: 'ours', said: { by }, isAllowed: () => true });
  // What is released may need the store's API.
  const api = await moveAccess(deps, await knownConnection(connections, id), host);
  return { host, dismissed: dismissed ?? 0, api, ...(await takeQuarantined(pool, connection, host)) };
}

type AccessDeps = Omit<Parameters<typeof reconnectStore>[0], 'compliance' | 'firstTry' | 'connections'> & {
  connections: FindConnection & Parameters<typeof reconnectStore>[0]['connections'];
};

/** `url`: where the store's API is called from now on. `works` false: it is not reached there, nor at the host that the store moved to. */
type MovedAccess = { url: string; works: boolean };

/**
 * Calls the store's API at the host that it moved to, if it no longer answers where it was: with the same key, and only if what answers is no other store.
 * Null: there is nothing to change.
 */
async function moveAccess(deps: AccessDeps, connection: Connection, host: string): Promise<MovedAccess | null> {
  const { access, closedAt, destinationId, storeIdentity: known } = connection;
  if (access === null || closedAt !== null || storeHost(access.url) === host) return null;
  if ((await answers(deps, connection, access)) !== null) return null;
  for (const name of [host, `www.${host}`]) {
    const url = `https://${name}${withoutEndSlashes(new URL(access.url).pathname)}`;
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
  const fetchJson = fetchWithTimeout(deps.fetchJson);
  const identity = await storeIdentity(storefront, access, meansToTry(fetchJson, secret));
  if (identity !== null) return { identity };
  return (await verifyStoreCredentials({ storefront, access, secret, fetchJson })).length === 0 ? { identity } : null;
}

const PAGE = 500;

/** Declares that a host is not the store's: what was quarantined of it is dropped, and its webhooks are answered and counted from now on, but not kept. */
export async function notOurStore(
  { pool, connections, by }: { pool: Pool; connections: FindConnection; by: Actor },
  { id: named, host: typed }: { id: string; host: string },
): Promise<{ host: string; dismissed: number }> {
  const connection = await knownConnection(connections, named);
  const { id } = connection;
  const storefront = storefrontOf(storefronts, connection.platform);
  const host = typedHost(storefront, connection, typed);
  const isAllowed: Parameters<typeof judgeHost>[1]['isAllowed'] = (hosts) => {
    const known = knownHosts(storefront, { ...connection, hosts: [...hosts] });
    return !(known.length === 1 && known[0] === host);
  };
  if ((await judgeHost(pool, { connectionId: id, host, ownership: 'not-ours', said: { by }, isAllowed })) === null) {
    throw onlyHost(host, id);
  }
  for (let dismissed = 0; ; ) {
    const page = await dismissQuarantined(pool, { connectionId: id, host, size: PAGE });
    dismissed += page;
    if (page < PAGE) return { host, dismissed };
  }
}

function onlyHost(host: string, id: string): Refusal {
  const said = {
    en: `${host} is the only host of ${id}: without it none of the store’s webhooks would be taken`,
    bg: `${host} е единственият хост на ${id}: без него не би било прието никое известие на магазина`,
  };
  const advice = `if the store moved, \`orderbridge reconnect ${id} --moved HOST\` first; to take no webhooks any more, \`orderbridge disconnect ${id}\``;
  return new Refusal('conflict', { ...said, advice });
}
