import { liveSecrets } from '../../bridge/connections/connection.ts';
import type { StoredApp } from '../../bridge/ledger/app-store.ts';
import { insertGrantRequest } from '../../bridge/ledger/grant-request-store.ts';
import type { AppGrant } from '../../bridge/storefronts/app-grant.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { appAddresses } from '../apps/app-addresses.ts';
import { grantOf } from '../apps/grantable-apps.ts';
import { newToken } from '../people/sessions.ts';

/** So long a merchant may take to approve. */
export const GRANT_MINUTES = 15;

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
