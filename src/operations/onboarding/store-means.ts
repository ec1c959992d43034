import { meansToTry } from '../../bridge/store-api/store-means.ts';
import type { FetchJson, StoreMeans } from '../../bridge/storefronts/contract.ts';
import type { StoreOnboarding } from '../../bridge/storefronts/onboarding.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { ownValue } from '../../contract/own-value.ts';
import { withPatience } from '../connections/verify-credentials.ts';

export type StoreDeps = { stores: { fetchJson: FetchJson } };

/** Several requests of a slow store, and no longer than a person waits. */
const LONGEST_MS = 25_000;

/** How a store is called that has no connection yet. */
export function storeMeansNow({ stores }: StoreDeps): StoreMeans {
  return meansToTry(withPatience(stores.fetchJson, LONGEST_MS), undefined);
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
