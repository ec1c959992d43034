import type { HomepageInspection } from '../../bridge/storefronts/onboarding.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import { isPlainName } from '../../contract/text.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import { Refusal } from '../refusal.ts';
import { unchooseShop } from './choose-shop.ts';
import { type RecallDeps, recallConnection } from './kept-store.ts';
import { ChangedMeanwhile, findNewest, type Onboarding, saveStep } from './onboarding.ts';
import { companyOf } from './own-company.ts';
import { type FetchDeps, foundStore, onboardingOf, storeMeansNow } from './store.ts';

type Deps = FetchDeps & RecallDeps;
type StoreChoice = { platform: string; by: Actor };

const LONGEST = 500;
const LONGEST_NAME = 100;

/** `hint`: what the address is called with which they begin; null: it is that of their customers. */
export type PlatformToConnect = { platform: string; title: string; hint: LocalizedText | null; kind: 'address' | 'own' };

/** What a page offers: platforms whose stores have an address, and those of shops that send by themselves. */
export function platformsToConnect(): PlatformToConnect[] {
  return Object.values(storefronts).flatMap(({ name: platform }) => {
    const able = onboardingOf(platform);
    if (able === null) return [];
    return [
      { platform, title: able.title, hint: able.addressHint ?? null, kind: able.inspectHomepage === undefined ? ('own' as const) : ('address' as const) },
    ];
  });
}

/** Looks at the address that a merchant typed, and keeps what was found; keys of another store are forgotten. */
export async function findStore(deps: Deps, onboarding: Onboarding, { platform, typed, by }: StoreChoice & { typed: string }): Promise<HomepageInspection> {
  refuseConnected(onboarding);
  const inspectHomepage = onboardingOf(platform)?.inspectHomepage;
  if (inspectHomepage === undefined) throw unknownPlatform();
  const inspected = await inspectHomepage(typed.slice(0, LONGEST), storeMeansNow(deps));
  if (!inspected.ok) return inspected;
  const { url, home, canHandOver, notes } = inspected;
  // What a store calls itself goes into mails.
  const name = isPlainName(inspected.name ?? '') ? inspected.name : null;
  const progress = { kind: 'address', typed: typed.slice(0, LONGEST), url, home, name, canHandOver, notes, mayWrite: null, version: null };
  refuseConnected(await recallConnection(deps, onboarding, by));
  const current = foundStore(onboarding)?.url === url ? onboarding : await ofAnotherStore(deps, onboarding);
  try {
    await saveStep(deps, current, { step: 'store', progress, platform, sealed: null, done: false });
  } catch (thrown) {
    // Pressed twice: the other press found the same.
    if (!(thrown instanceof ChangedMeanwhile) || foundStore(await findNewest(deps, onboarding.id))?.url !== url) throw thrown;
  }
  return inspected;
}

/** A shop of the merchant's own has nothing that could be looked at. False: it needs a name, which must be plain. */
export async function chooseOwnShop(deps: Deps, onboarding: Onboarding, { platform, name: given, by }: StoreChoice & { name: string }): Promise<boolean> {
  refuseConnected(onboarding);
  if (onboardingOf(platform)?.snippets === undefined) throw unknownPlatform();
  const name = given.trim().slice(0, LONGEST_NAME);
  if (name === '' || !isPlainName(name)) return false;
  refuseConnected(await recallConnection(deps, onboarding, by));
  await saveStep(deps, await ofAnotherStore(deps, onboarding), { step: 'store', progress: { kind: 'own', name }, platform, sealed: null, done: true });
  return true;
}

/** The shop that their store had before is none that another one may have. */
async function ofAnotherStore(deps: Deps, onboarding: Onboarding): Promise<Onboarding> {
  return companyOf(onboarding).chosen === 'store' ? unchooseShop(deps, onboarding) : onboarding;
}

/** What webhooks go to is not changed by typing another address. */
function refuseConnected({ connectionId }: Pick<Onboarding, 'connectionId'>): void {
  if (connectionId === null) return;
  throw new Refusal('conflict', { en: 'the store of this link is connected already', bg: 'магазинът на тази връзка вече е свързан' });
}

function unknownPlatform(): Refusal {
  return new Refusal('invalid', { en: 'there is no such kind of store', bg: 'няма такъв вид магазин' });
}
