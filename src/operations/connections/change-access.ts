import { type Connection, liveSecrets } from '../../bridge/connections/connection.ts';
import type { StoreAccess } from '../../bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { ownValue } from '../../contract/own-value.ts';
import { Refusal } from '../refusal.ts';
import { type Reconnected, reconnectStore, requireLive } from './reconnect-store.ts';
import { keepVerification, refuseInsecure, verifyStoreCredentials, withPatience } from './verify-credentials.ts';

type Deps = Parameters<typeof reconnectStore>[0] & Parameters<typeof keepVerification>[0];

/** `anyway`: although it does not work now. */
type Change = { url: string; credentials: Readonly<Record<string, string>>; anyway: boolean };

/** `problems`: what does not work; then nothing was changed, unless it was wanted anyway. */
type ChangedAccess = { problems: readonly string[]; changed: Reconnected | null };

/** Tries new keys or another address of a store's API, and takes them if they work. */
export async function changeAccess(deps: Deps, before: Connection, { url, credentials, anyway }: Change): Promise<ChangedAccess> {
  requireLive(before);
  const access = changedAccess(before, { url, credentials });
  refuseInsecure(access, deps.trustedHttpHosts);
  const storefront = storefrontOf(storefronts, before.platform);
  const fetchJson = withPatience(deps.fetchJson);
  const [secret] = liveSecrets(before, Date.now());
  const problems = await verifyStoreCredentials({ storefront, access, secret, fetchJson });
  if (problems.length > 0 && !anyway) return { problems, changed: null };
  const given = { name: null, secret: null, credentials: null, settings: null, recordFrom: null };
  const changed = await reconnectStore({ ...deps, fetchJson }, before, { ...given, access, url: storefront.deliveriesNameStore ? url : null });
  await keepVerification(deps, before.id, { access: problems });
  return { problems, changed };
}

/** A credential that a store's API takes: its name, and what it is. */
type AskedCredential = { name: string; words: string; bg: string; isKept: boolean };

/** What can be given of a store's API, and which of it the connection has. Null: its platform has none. */
export function askedCredentials({ platform, access }: Pick<Connection, 'platform' | 'access'>): AskedCredential[] | null {
  const { api } = storefrontOf(storefronts, platform);
  if (api === undefined) return null;
  return Object.entries(api.credentials).map(([name, { words, bg }]) => ({ name, words, bg, isKept: ownValue(access ?? {}, name) !== undefined }));
}

/** `credentials`: those that were given; the rest stays as it is. */
type NewAccess = { url: string; credentials: Readonly<Record<string, string>> };

/** Address and credentials of a store's API with what was given. Refuses an address that is none, and a set of keys that is not whole. */
function changedAccess({ platform, access }: Pick<Connection, 'platform' | 'access'>, { url, credentials }: NewAccess): StoreAccess {
  const protocol = URL.parse(url)?.protocol;
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new Refusal('invalid', { en: 'the address of the store must start with https://', bg: 'адресът на магазина трябва да започва с https://' });
  const { api } = storefrontOf(storefronts, platform);
  if (api === undefined)
    throw new Refusal('invalid', { en: `a ${platform} store is not called by its API`, bg: `магазин на ${platform} не се търси чрез API` });
  const names = Object.keys(api.credentials);
  const given = names.filter((name) => credentials[name] !== undefined && credentials[name] !== '');
  const sets = api.credentialSets ?? [names];
  const set = sets.find((one) => given.length > 0 && given.every((name) => one.includes(name))) ?? sets.find((one) => one.every((name) => kept(access, name)));
  if (set === undefined || !set.every((name) => given.includes(name) || kept(access, name))) {
    const each = sets.map((one) => one.join(', '));
    throw new Refusal('invalid', { en: `these keys go together: ${each.join('; or ')}`, bg: `тези ключове се дават заедно: ${each.join('; или ')}` });
  }
  const pairs = set.map((name) => [name, given.includes(name) ? credentials[name] : ownValue(access ?? {}, name)]);
  return { ...Object.fromEntries(pairs), url: names.length === 0 ? url : url.replace(/\/+$/, '') };
}

function kept(access: StoreAccess | null, name: string): boolean {
  return ownValue(access ?? {}, name) !== undefined;
}
