import type { Wake } from '../../bridge/delivery/wake.ts';
import type { StoreAccess } from '../../bridge/storefronts/contract.ts';
import type { Proved } from '../../bridge/storefronts/onboarding.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Config } from '../../config/config.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Sealer } from '../../platform/seal.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { reconnectStore } from '../connections/reconnect-store.ts';
import { Refusal } from '../refusal.ts';
import { type Onboarding, saveStep } from './onboarding.ts';
import { recallConnection } from './recall-connection.ts';
import { sealStore } from './sealed-store.ts';
import { onboardingOf, type StoreDeps, storeMeansNow } from './store-means.ts';
import { foundStore, type StoreAtAddress } from './store-progress.ts';

export type KeysDeps = StoreDeps & {
  pool: Pool;
  sealer: Sealer;
  connections: FindConnection & Parameters<typeof reconnectStore>[0]['connections'];
  wake: Wake;
  config: Pick<Config, 'trustedHttpHosts'>;
};

type Given = { url: string; credentials: Readonly<Record<string, string>>; by: Actor };

const LONGEST = 500;

/** Tries keys by calling the store, and keeps those that work: sealed until there is a connection, then in its place. */
export async function takeKeys(deps: KeysDeps, onboarding: Onboarding, given: Given): Promise<Proved> {
  const store = requireFound(onboarding);
  const prove = onboardingOf(onboarding.platform)?.prove;
  if (prove === undefined) throw notFound();
  const access: StoreAccess = { ...given.credentials, url: given.url };
  const proved = await prove(access, storeMeansNow(deps));
  if (!proved.ok) return proved;
  const notes = [...store.notes, ...proved.notes.filter(({ code }) => store.notes.every((one) => one.code !== code))];
  const progress = { ...store, notes, mayWrite: proved.mayWrite, version: proved.version };
  const recalled = await recallConnection(deps, onboarding, given.by);
  if (recalled.connectionId !== null) await renew(deps, recalled.connectionId, { access, by: given.by });
  const sealed = recalled.connectionId === null ? { sealed: sealStore(deps.sealer, recalled.id, { access }) } : {};
  await saveStep(deps, recalled, { step: 'store', done: true, progress, ...sealed });
  return proved;
}

/** A store that no longer lets us in gets new keys; what waited for it goes on. */
async function renew({ stores, config, ...deps }: KeysDeps, id: string, { access, by }: { access: StoreAccess; by: Actor }): Promise<void> {
  const connection = await knownConnection(deps.connections, id);
  const compliance = { destination: async () => connection.destinationId };
  const given = { ...deps, compliance, patience: null, fetchJson: stores.fetchJson, trustedHttpHosts: config.trustedHttpHosts, by };
  await reconnectStore(given, connection, { name: null, secret: null, access, url: null, credentials: null, settings: null, recordFrom: null });
}

/** The parts of a key that a person types. */
export function keyParts({ platform }: Pick<Onboarding, 'platform'>): string[] {
  return platform === null ? [] : Object.keys(storefrontOf(storefronts, platform).api?.credentials ?? {});
}

/** The keys that a person typed; null: a part is missing. */
export function typedKeys(onboarding: Onboarding, text: (name: string) => string): Record<string, string> | null {
  const parts = keyParts(onboarding).map((name) => [name, text(name)] as const);
  return parts.some(([, value]) => value === '' || value.length > LONGEST) ? null : Object.fromEntries(parts);
}

export function requireFound(onboarding: Onboarding): StoreAtAddress {
  const store = foundStore(onboarding);
  if (store === null) throw notFound();
  return store;
}

function notFound(): Refusal {
  return new Refusal('conflict', { en: 'the address of the store is not known yet', bg: 'адресът на магазина още не е известен' });
}
