import type { Connection } from '../../bridge/connections/connection.ts';
import { hostOf, knownHosts } from '../../bridge/connections/whose-store.ts';
import type { Storefront } from '../../bridge/storefronts/contract.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';

/** The kind of the warning that no webhook can name the `--store-url`. */
export const URL_WARNING = 'store-url';

/** What a person should look at: hosts that are held, and a `--store-url` of another host than deliveries name. */
export function hostWarnings(connection: Pick<Connection, 'platform' | 'store' | 'hosts' | 'access'>): string[] {
  const { hosts, access, platform } = connection;
  const held = hosts
    .filter(({ verdict }) => verdict === 'held')
    .map(({ host }) => `store.other: webhooks name the host ${host}; \`orderbridge review\` says what to do`);
  const known = knownHosts(storefrontOf(storefronts, platform), connection);
  const given = access === null ? null : storeHost(access.url);
  const isOther = given !== null && known.length > 0 && !known.includes(given);
  return isOther ? [...held, `--store-url names ${given}, but webhooks name ${known.join(', ')}: check that both are this store’s`] : held;
}

/** A `--store-url` that no delivery of this platform can name: it is kept nowhere, so it is said when the store is connected. Null: it is fine. */
export function urlWarning(storefront: Storefront, url: string): string | null {
  if (!storefront.deliveriesNameStore || hostOf(storefront, url) !== null) return null;
  const { nameHint } = storefront;
  return `--store-url names ${storeHost(url)}, but webhooks never do${nameHint === undefined ? '' : `: the store is known by its name in them (${nameHint})`}`;
}
