import { liveSecrets } from '../../bridge/connections/connection.ts';
import type { AppStore, StoredApp } from '../../bridge/ledger/app-store.ts';
import { insertGrantRequest } from '../../bridge/ledger/grant-request-store.ts';
import type { AppGrant } from '../../bridge/storefronts/app-grant.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { ownValue } from '../../contract/own-value.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { appAddresses } from '../apps/app-addresses.ts';
import { listApps } from '../apps/known-app.ts';
import { newToken } from '../people/sessions.ts';

/** So long a merchant may take to approve. */
export const GRANT_MINUTES = 15;

/** How merchants of a platform let apps in; null: not at all, or there is none of this name. */
export function grantOf(platform: string): AppGrant | null {
  return ownValue(storefronts, platform)?.appGrant ?? null;
}

type Apps = { apps: Pick<AppStore, 'find' | 'list'> };

/** The apps that merchants of a platform can be asked to approve; those for all stores come first. */
export async function grantableApps({ apps }: Apps, platform: string): Promise<StoredApp[]> {
  if (grantOf(platform) === null) return [];
  const usable = (await listApps({ apps }, platform)).filter((app) => liveSecrets(app, Date.now()).length > 0);
  return usable.toSorted((a, b) => Number(b.kind === 'public') - Number(a.kind === 'public'));
}

/** Whose a signed query is: `app` of those given, and `url` of the store. stale: signed too long ago; unsigned: by none of them. */
type Signed = { ok: true; app: StoredApp; url: string } | { ok: false; why: 'stale' | 'unsigned' };

/** Reads what a platform signs when a merchant installs an app there, or opens it. `query`: as it came. */
export function readInstall(grant: AppGrant, apps: readonly StoredApp[], query: string): Signed {
  const now = Date.now();
  let isStale = false;
  for (const app of apps) {
    const read = grant.readQuery(query, liveSecrets(app, now), now);
    if (read.ok) return { ok: true, app, url: read.url };
    isStale ||= read.why === 'stale';
  }
  return { ok: false, why: isStale ? 'stale' : 'unsigned' };
}

/** `base`: where the internet reaches this server. `onboarding` null: the merchant has no link. */
type Beginning = { app: StoredApp; url: string; base: string; onboarding: string | null };

/** Where the merchant's browser goes to approve an app at his store. `state` comes back with it, is good once, and is kept as its hash alone. */
export async function beginGrant({ pool }: { pool: Pool }, { app, url, base, onboarding }: Beginning): Promise<{ goTo: string; state: string }> {
  const grant = grantOf(app.platform);
  if (grant === null) throw new Error(`stores of ${app.platform} approve no app`);
  const state = newToken();
  await insertGrantRequest(pool, { state: hashOf(state), app: app.id, url, onboarding, minutes: GRANT_MINUTES });
  const redirectUrl = appAddresses(base, app).callback;
  return { goTo: grant.consentUrl({ url, clientId: app.clientId, scopes: app.scopes, redirectUrl, state }), state };
}
