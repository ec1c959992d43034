import { appOf } from '../../bridge/connections/connection.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import { passingTokens } from '../../bridge/store-api/access-tokens.ts';
import type { AppClient } from '../../bridge/storefronts/app-grant.ts';
import type { AccessToken, StoreAccess } from '../../bridge/storefronts/contract.ts';
import type { KeyWay, LookNote, LookProblem, Proved } from '../../bridge/storefronts/onboarding.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Config } from '../../config/config.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Sealer } from '../../platform/seal.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { reconnectStore } from '../connections/reconnect-store.ts';
import { secretProblem } from '../connections/secret-problem.ts';
import { Refusal } from '../refusal.ts';
import { type Onboarding, saveStep } from './onboarding.ts';
import { recallConnection } from './recall-connection.ts';
import { type SealedStore, sealStore } from './sealed-store.ts';
import { onboardingOf, type StoreDeps, storeMeansNow } from './store-means.ts';
import { foundStore, type StoreAtAddress } from './store-progress.ts';

export type KeysDeps = StoreDeps & {
  pool: Pool;
  sealer: Sealer;
  connections: FindConnection & Parameters<typeof reconnectStore>[0]['connections'];
  notify: Notify;
  config: Pick<Config, 'trustedHttpHosts'>;
};

/** `granted`: what its merchant approved at the store, if that is how the keys came. */
type Given = { url: string; credentials: Readonly<Record<string, string>>; by: Actor; granted?: GrantedKeys };
/** `client`: what the app proves itself with. */
type GrantedKeys = { token: AccessToken; identity: string; client: AppClient; notes: readonly LookProblem<LookNote>[] };

const LONGEST = 500;

/** Tries keys by calling the store, and keeps those that work: sealed until there is a connection, then in its place. */
export async function takeKeys(deps: KeysDeps, onboarding: Onboarding, given: Given): Promise<Proved> {
  const store = requireFound(onboarding);
  const prove = onboardingOf(onboarding.platform)?.prove;
  if (prove === undefined) throw notFound();
  const access: StoreAccess = { ...given.credentials, url: given.url };
  const secret = secretIn(onboarding, access);
  if (secret !== null && secretProblem(storefrontOf(storefronts, onboarding.platform ?? ''), secret) !== null)
    return { ok: false, problem: { code: 'keys.refused' } };
  const { granted } = given;
  const means = storeMeansNow(deps);
  const proved = await prove(access, granted === undefined ? means : { ...means, app: granted.client, tokens: passingTokens(granted.token) });
  if (!proved.ok) return proved;
  const found = [...proved.notes, ...(granted?.notes ?? [])];
  const notes = [...store.notes.filter(({ code }) => found.every((one) => one.code !== code)), ...found];
  const progress = { ...store, notes, mayWrite: proved.mayWrite, version: proved.version, app: appOf(access) };
  const recalled = await recallConnection(deps, onboarding, given.by);
  if (recalled.connectionId !== null) await renew(deps, recalled.connectionId, { access, secret, granted, by: given.by });
  const sealed = recalled.connectionId === null ? { sealed: sealStore(deps.sealer, recalled.id, toKeep({ access, secret, granted })) } : {};
  await saveStep(deps, recalled, { step: 'store', done: true, progress, ...sealed });
  return proved;
}

function toKeep({ access, secret, granted }: { access: StoreAccess; secret: string | null; granted: GrantedKeys | undefined }): SealedStore {
  const kept = { access, ...(secret === null ? {} : { secret }) };
  return granted === undefined ? kept : { ...kept, granted: { token: granted.token, identity: granted.identity } };
}

/** `secret`: of its webhooks, where it came with the keys. */
type Renewal = { access: StoreAccess; secret: string | null; granted: GrantedKeys | undefined; by: Actor };

/** A store that no longer lets us in gets new keys; what waited for it goes on. */
async function renew({ stores, config, ...deps }: KeysDeps, id: string, { access, secret, granted, by }: Renewal): Promise<void> {
  const connection = await knownConnection(deps.connections, id);
  const fresh = connection.secrets.some((one) => one.secret === secret && one.until === null) ? null : secret;
  const compliance = { destination: async () => connection.destinationId };
  const given = { ...deps, compliance, patience: null, fetchJson: stores.fetchJson, trustedHttpHosts: config.trustedHttpHosts, by };
  const approved = granted === undefined ? {} : { identity: granted.identity, granted: granted.token };
  await reconnectStore(given, connection, { name: null, secret: fresh, access, url: null, credentials: null, settings: null, recordFrom: null, ...approved });
}

/** The ways to keys that a person types, each of which is enough. */
export function keyWays({ platform }: Pick<Onboarding, 'platform'>): readonly KeyWay[] {
  return onboardingOf(platform)?.guide?.ways ?? [];
}

/** The keys that a person typed, by the way that `text('way')` names, or the first; null: a part is missing. */
export function typedKeys(onboarding: Onboarding, text: (name: string) => string): Record<string, string> | null {
  const ways = keyWays(onboarding);
  const { parts: names = [] } = ways.find(({ id }) => id === text('way')) ?? ways[0] ?? {};
  const parts = names.map((name) => [name, text(name)] as const);
  return parts.length === 0 || parts.some(([, value]) => value === '' || value.length > LONGEST) ? null : Object.fromEntries(parts);
}

export function requireFound(onboarding: Onboarding): StoreAtAddress {
  const store = foundStore(onboarding);
  if (store === null) throw notFound();
  return store;
}

/** The secret that webhooks will be signed with, where it is one of the keys; null: it is another one. */
function secretIn({ platform }: Onboarding, access: StoreAccess): string | null {
  return onboardingOf(platform)?.secretIn?.(access) ?? null;
}

function notFound(): Refusal {
  return new Refusal('conflict', { en: 'the address of the store is not known yet', bg: 'адресът на магазина още не е известен' });
}
