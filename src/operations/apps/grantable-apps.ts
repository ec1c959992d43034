import { type Connection, liveSecrets } from '../../bridge/connections/connection.ts';
import type { StoredApp } from '../../bridge/ledger/app-store.ts';
import type { StoredOnboarding } from '../../bridge/ledger/onboarding-store.ts';
import type { AppGrant } from '../../bridge/storefronts/app-grant.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { ownValue } from '../../contract/own-value.ts';
import { type FindApps, listApps, unknownApp } from './app.ts';

/** How merchants of a platform let apps in; null: not at all, or there is none of this name. */
export function grantOf(platform: string): AppGrant | null {
  return ownValue(storefronts, platform)?.appGrant ?? null;
}

/** The apps that merchants of a platform can be asked to approve; those for all stores come first. */
export async function grantableApps({ apps }: FindApps, platform: string): Promise<StoredApp[]> {
  if (grantOf(platform) === null) return [];
  const usable = (await listApps({ apps }, platform)).filter((app) => liveSecrets(app, Date.now()).length > 0);
  return usable.toSorted((a, b) => Number(b.kind === 'public') - Number(a.kind === 'public'));
}

/** Those of all platforms, whether or not their secrets open. */
export async function allGrantableApps({ apps }: FindApps): Promise<StoredApp[]> {
  return (await apps.list()).filter(({ platform }) => grantOf(platform) !== null);
}

/** The app that merchants can be asked to approve; refuses if there is none of this name. */
export async function grantableApp({ apps }: FindApps, id: string): Promise<StoredApp> {
  const all = await allGrantableApps({ apps });
  const app = all.find((one) => one.id === id);
  if (app !== undefined) return app;
  const platform = Object.keys(storefronts).find((one) => grantOf(one) !== null) ?? '';
  throw unknownApp({ platform, id }, all);
}

type OfMerchant = Pick<StoredOnboarding, 'platform' | 'app' | 'connectionId'>;

/**
 * The apps that a merchant with a link is asked to approve: that of their store's connection, or the one that they were invited with; else those for all stores, or
 * the only one that there is. One of several that are each for one merchant is shown to nobody else.
 */
export async function offeredApps(
  deps: FindApps & { connections: { find(id: string): Promise<Connection | null> } },
  { platform, app, connectionId }: OfMerchant,
): Promise<StoredApp[]> {
  const usable = platform === null ? [] : await grantableApps(deps, platform);
  const connection = connectionId === null ? null : await deps.connections.find(connectionId);
  for (const named of [connection?.app, app]) {
    const one = usable.filter(({ id }) => id === named);
    if (one.length > 0) return one;
  }
  const open = usable.filter(({ kind }) => kind === 'public');
  return open.length > 0 || usable.length !== 1 ? open : usable;
}
