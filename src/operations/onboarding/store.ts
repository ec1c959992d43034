import { z } from 'zod';
import { meansToTry } from '../../bridge/store-api/store-means.ts';
import type { FetchJson, StoreMeans } from '../../bridge/storefronts/contract.ts';
import type { StoreHint, StoreOnboarding, StoreProblem } from '../../bridge/storefronts/onboarding.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { ownValue } from '../../contract/own-value.ts';
import { fetchWithTimeout } from '../connections/verify-credentials.ts';
import type { Onboarding } from './onboarding.ts';

const notes = z
  .array(z.object({ code: z.string(), data: z.record(z.string(), z.string()).optional() }))
  .transform((given) => given as StoreProblem<StoreHint>[]);

const atAddress = z.object({
  kind: z.literal('address'),
  typed: z.string(),
  url: z.string(),
  home: z.string(),
  name: z.string().nullable(),
  canHandOver: z.boolean(),
  notes,
  /** Whether its keys may make webhooks; null: there are none that work yet. */
  mayWrite: z.boolean().nullable(),
  /** The app that its merchant approved there; null: its keys came otherwise, or not yet. */
  app: z.string().nullable().catch(null),
  /** What the store runs on, in words; null: it did not say, or was not asked yet. */
  version: z.string().nullable().catch(null),
});

const ownShop = z.object({ kind: z.literal('own'), name: z.string() });

const progress = z.discriminatedUnion('kind', [atAddress, ownShop]);

/** A store that was found at its address, or a shop of the merchant's own, which has a name alone. */
export type StoreProgress = z.output<typeof progress>;
export type StoreAtAddress = z.output<typeof atAddress>;

/** What the first step found; null: nothing yet. */
export function storeProgress({ progress: said }: Pick<Onboarding, 'progress'>): StoreProgress | null {
  return progress.safeParse(said['store']).data ?? null;
}

/** The store that was found at its address; null: none was. */
export function foundStore(onboarding: Pick<Onboarding, 'progress'>): StoreAtAddress | null {
  const found = storeProgress(onboarding);
  return found?.kind === 'address' ? found : null;
}

/** What people call the store, before it has a connection. */
export function nameOf(found: StoreProgress): string {
  return found.name ?? (found.kind === 'address' ? new URL(found.home).host : '');
}

export type FetchDeps = { stores: { fetchJson: FetchJson } };

/** Several requests of a slow store, and no longer than a person waits. */
const LONGEST_MS = 25_000;

/** How a store is called that has no connection yet. */
export function storeMeansNow({ stores }: FetchDeps): StoreMeans {
  return meansToTry(fetchWithTimeout(stores.fetchJson, LONGEST_MS), undefined);
}

/** What a platform can do for a merchant; null: it can't be connected by pages, or there is none of this name. */
export function onboardingOf(platform: string | null): StoreOnboarding | null {
  return platform === null ? null : (ownValue(storefronts, platform)?.onboarding ?? null);
}

/** Everything that a store of this platform should tell of. */
export function topicsOf(platform: string): string[] {
  const { topics, alsoTopics = [] } = storefrontOf(storefronts, platform);
  return [...topics, ...alsoTopics];
}
