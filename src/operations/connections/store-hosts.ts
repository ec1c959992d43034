import type { Connection } from '../../bridge/connections/connection.ts';
import { hostOf, knownHosts } from '../../bridge/connections/host-owner.ts';
import { type QuarantinedDelivery, type Reread, releaseQuarantined } from '../../bridge/ledger/deliveries/delivery-store.ts';
import { wantWindow } from '../../bridge/ledger/sync/sync-store.ts';
import type { Storefront } from '../../bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { Refusal } from '../refusal.ts';
import { deliveredAgain, readKept } from './store-webhooks.ts';

/** The kind of the warning that no webhook can name the `--store-url`. */
export const URL_WARNING = 'store-url';

/** What a person should look at: hosts that are quarantined, and a `--store-url` of another host than deliveries name. */
export function hostWarnings(connection: Pick<Connection, 'platform' | 'store' | 'hosts' | 'access'>): string[] {
  const quarantined = connection.hosts
    .filter(({ ownership }) => ownership === 'quarantined')
    .map(({ host }) => `store.other: webhooks name the host ${host}; \`orderbridge review\` says what to do`);
  return [...quarantined, ...otherAddress(connection)];
}

/** An address of the store's API on another host than deliveries name. */
export function otherAddress(connection: Pick<Connection, 'platform' | 'store' | 'hosts' | 'access'>): string[] {
  const { access, platform } = connection;
  const known = knownHosts(storefrontOf(storefronts, platform), connection);
  const given = access === null ? null : storeHost(access.url);
  const isOther = given !== null && known.length > 0 && !known.includes(given);
  return isOther ? [`the store’s address is on ${given}, but its webhooks name ${known.join(', ')}: check that both are this store’s`] : [];
}

/** A `--store-url` that no delivery of this platform can name: it is kept nowhere, so it is said when the store is connected. Null: it is fine. */
export function urlWarning(storefront: Storefront, url: string): string | null {
  if (!storefront.deliveriesNameStore || hostOf(storefront, url) !== null) return null;
  const { nameHint } = storefront;
  return `--store-url names ${storeHost(url)}, but webhooks never do${nameHint === undefined ? '' : `: the store is known by its name in them (${nameHint})`}`;
}

/** `released`: quarantined webhooks that go on. `review`: those that can't be read. */
export type Taken = { released: number; review: number };

const PAGE = 50;
/** The open month and the one before. */
const READ_AGAIN_MS = 62 * 86_400_000;

/** Hands on what is quarantined of a host that is the store's by now; what was read of it, and not kept, is read again. */
export async function takeQuarantined(pool: Pool, { id, platform }: Pick<Connection, 'id' | 'platform'>, host: string): Promise<Taken> {
  const storefront = storefrontOf(storefronts, platform);
  const taken = { released: 0, review: 0 };
  await wantWindow(pool, id, { since: new Date(Date.now() - READ_AGAIN_MS).toISOString(), why: `${host} is the store’s` });
  for (;;) {
    const page = await releaseQuarantined(pool, { connectionId: id, host, size: PAGE }, (quarantined) => readAgain(storefront, quarantined));
    taken.released += page.filter((one) => 'delivery' in one).length;
    taken.review += page.filter((one) => 'problem' in one).length;
    if (page.length < PAGE) return taken;
  }
}

async function readAgain(storefront: Storefront, { body, ...quarantined }: QuarantinedDelivery): Promise<Reread> {
  if (body === null)
    return { problem: { code: 'store.other', detail: `it was quarantined as a webhook of ${quarantined.store}, and its body was erased meanwhile` } };
  const kept = { ...quarantined, body };
  const normalized = await readKept(storefront, kept);
  if (normalized.kind === 'unreadable') return { problem: normalized.problems[0] };
  return normalized.kind === 'ignored' ? { ignored: normalized.why } : { delivery: deliveredAgain(kept, normalized) };
}

/** The host that a person typed, as deliveries name it; an address will do. Refuses one that no delivery of this platform can name. */
export function typedHost(storefront: Storefront, { id, platform }: Pick<Connection, 'id' | 'platform'>, typed: string): string {
  const host = storeHost(typed);
  if (host === null) {
    const none = { en: `${JSON.stringify(typed)} names no host`, bg: `${JSON.stringify(typed)} не е хост` };
    throw new Refusal('invalid', { ...none, advice: { en: 'give one such as shop.example', bg: 'дайте например shop.example' } });
  }
  if (!storefront.deliveriesNameStore) {
    throw new Refusal('invalid', {
      en: `${id} is a ${platform} store, whose webhooks name no host: all of them are its own`,
      bg: `${id} е магазин на ${platform}, чиито известия не назовават хост: всички са негови`,
    });
  }
  if (hostOf(storefront, `https://${host}`) !== null) return host;
  const { nameHint } = storefront;
  throw new Refusal('invalid', {
    ...{ en: `webhooks of a ${platform} store never name ${host}`, bg: `известията на магазин на ${platform} никога не назовават ${host}` },
    ...(nameHint === undefined ? {} : { advice: { en: `give the host that they name, ${nameHint}`, bg: 'дайте хоста, който те назовават' } }),
  });
}
