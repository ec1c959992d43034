import type { StoreAccess } from '../../bridge/storefronts/contract.ts';
import type { Proved } from '../../bridge/storefronts/onboarding.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Sealer } from '../../platform/seal.ts';
import { Refusal } from '../refusal.ts';
import { refuseConnected } from './look-at-store.ts';
import { type Onboarding, saveStep } from './onboarding.ts';
import { sealStore } from './sealed-store.ts';
import { onboardingOf, type StoreDeps, storeMeansNow } from './store-means.ts';
import { foundStore, type StoreAtAddress } from './store-progress.ts';

type Deps = StoreDeps & { pool: Pool; sealer: Sealer };

const LONGEST = 500;

/** Tries keys by calling the store, and keeps those that work, sealed. */
export async function takeKeys(deps: Deps, onboarding: Onboarding, given: { url: string; credentials: Readonly<Record<string, string>> }): Promise<Proved> {
  refuseConnected(onboarding);
  const store = requireFound(onboarding);
  const prove = onboardingOf(onboarding.platform)?.prove;
  if (prove === undefined) throw notFound();
  const access: StoreAccess = { ...given.credentials, url: given.url };
  const proved = await prove(access, storeMeansNow(deps));
  if (!proved.ok) return proved;
  const progress = { ...store, notes: [...store.notes, ...proved.notes.filter(({ code }) => store.notes.every((one) => one.code !== code))] };
  await saveStep(deps, onboarding, {
    ...{ step: 'store', done: true, sealed: sealStore(deps.sealer, onboarding.id, { access }) },
    progress: { ...progress, mayWrite: proved.mayWrite },
  });
  return proved;
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
