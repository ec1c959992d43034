import type { Connection } from '../../bridge/connections/connection.ts';
import type { StoreAccess } from '../../bridge/storefronts/contract.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { ownValue } from '../../contract/own-value.ts';
import { Refusal } from '../refusal.ts';

/** A credential that a store's API takes: its name, and what it is. */
export type AskedCredential = { name: string; words: string; bg: string; isKept: boolean };

/** What can be given of a store's API, and which of it the connection has. Null: its platform has none. */
export function askedCredentials({ platform, access }: Pick<Connection, 'platform' | 'access'>): AskedCredential[] | null {
  const { api } = storefrontOf(storefronts, platform);
  if (api === undefined) return null;
  return Object.entries(api.credentials).map(([name, { words, bg }]) => ({ name, words, bg, isKept: ownValue(access ?? {}, name) !== undefined }));
}

/** `credentials`: those that were given; the rest stays as it is. */
type Given = { url: string; credentials: Readonly<Record<string, string>> };

/** Address and credentials of a store's API with what was given. Refuses an address that is none, and a set of keys that is not whole. */
export function changedAccess({ platform, access }: Pick<Connection, 'platform' | 'access'>, { url, credentials }: Given): StoreAccess {
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
