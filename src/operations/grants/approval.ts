import { setTimeout as wait } from 'node:timers/promises';
import { liveSecrets } from '../../bridge/connections/connection.ts';
import type { StoredApp } from '../../bridge/ledger/apps/app-store.ts';
import { endGrantRequest, findGrantRequest, type GrantRequest, insertGrantRequest, useGrantRequest } from '../../bridge/ledger/apps/grant-request-store.ts';
import { passingTokens } from '../../bridge/store-api/store-means.ts';
import type { AppClient, AppGrant, Granted } from '../../bridge/storefronts/app-grant.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { appAddresses, appWideOf, grantOf } from '../apps/apps.ts';
import { findNewest, type Onboarding } from '../onboarding/onboarding.ts';
import { foundStore, storeMeansNow } from '../onboarding/store.ts';
import { newToken } from '../people/sessions.ts';
import { Refusal } from '../refusal.ts';
import { grantForLive, type PlaceDeps, type Placed, placeGrant } from './place-grant.ts';

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

/** Where the merchant's browser goes to approve an app at their store. `state` comes back with it, is good once, and is kept as its hash alone. */
export async function beginGrant({ pool }: { pool: Pool }, { app, url, base, onboarding }: Beginning): Promise<{ goTo: string; state: string }> {
  const grant = grantOf(app.platform);
  if (grant === null) throw new Error(`stores of ${app.platform} approve no app`);
  const state = newToken();
  await insertGrantRequest(pool, { state: hashOf(state), app: app.id, url, onboarding, minutes: GRANT_MINUTES });
  const redirectUrl = appAddresses(base, app).callback;
  return { goTo: grant.consentUrl({ url, clientId: app.clientId, scopes: app.scopes, redirectUrl, state }), state };
}

/** What a browser brought back. `query`: as it came. `onboarding`: of the link that it came from; null: of none. */
type Back = { platform: string; query: string; state: string; onboarding: Onboarding | null };

/**
 * unknown: nobody was sent with this state, it is too late, or it was used. distrusted: it is not signed by the app now, or is of another store.
 * denied: the merchant did not approve. refused: why the store gave no token (`again`: it may give one later), or what it gave can't be kept. problem: what keeps
 * the store from being used.
 */
export type Finished = Placed | { kind: 'unknown' } | { kind: 'distrusted' } | { kind: 'denied' } | { kind: 'refused'; again: boolean; said: LocalizedText };

/** `request`: what the merchant was sent with; null: it is not known. */
export type ApprovalOutcome = { finished: Finished; request: Pick<GrantRequest, 'app' | 'url'> | null };

/** What the way back from a store's consent page leads to. Whether it is the browser that was sent must be known before. */
export async function finishGrant(deps: PlaceDeps, back: Back): Promise<ApprovalOutcome> {
  const state = hashOf(back.state);
  const request = await findGrantRequest(deps.pool, state);
  if (request === null || request.onboarding !== (back.onboarding?.id ?? null)) return { finished: { kind: 'unknown' }, request: null };
  return { finished: await finished(deps, { ...back, request, hash: state }), request };
}

type PendingRequest = Back & { request: GrantRequest; hash: Buffer };

async function finished(deps: PlaceDeps, back: PendingRequest): Promise<Finished> {
  const { request, onboarding, platform } = back;
  const grant = grantOf(platform);
  const app = await deps.apps.find(request.app);
  // Another store may have been chosen since, in another window.
  const isTheirs = onboarding === null || foundStore(onboarding)?.url === request.url;
  if (!isTheirs || grant === null || app === null || app.platform !== platform) return { kind: 'unknown' };
  if (request.isLive && isDenied(back.query)) return { kind: 'denied' };
  const code = signedCode({ grant, app, request }, back);
  if (code === null) return { kind: request.isLive ? 'distrusted' : 'unknown' };
  // From here on it is used, whatever becomes of it: of two that come back with it, one goes on.
  if (!(await useAlone(deps, back.hash))) return usedBefore(deps, back);
  try {
    return await exchanged(deps, { grant, app, request, code, back });
  } finally {
    await endGrantRequest(deps.pool, back.hash);
  }
}

const LOOKS = 40;
const BETWEEN_LOOKS_MS = 250;

/** False: it can't be used. Who has waited for others for too long goes on beside them. */
async function useAlone({ pool }: PlaceDeps, state: Buffer): Promise<boolean> {
  for (let look = 1; ; look += 1) {
    const use = await useGrantRequest(pool, state, { beside: look > LOOKS });
    if (use !== 'busy') return use === 'used';
    await wait(BETWEEN_LOOKS_MS);
  }
}

/** A press that was doubled: by their link they see where the first one led. */
async function usedBefore(deps: PlaceDeps, { onboarding }: PendingRequest): Promise<Finished> {
  const newest = onboarding === null ? null : await findNewest(deps, onboarding.id);
  return newest?.done.includes('store') === true ? { kind: 'way', token: null } : { kind: 'unknown' };
}

async function exchanged(deps: PlaceDeps, { code, ...asked }: AppRequest & { code: string; back: PendingRequest }): Promise<Finished> {
  const { grant, app, request } = asked;
  const { came, keptFor } = await grantForLive(deps, { platform: app.platform, access: accessBy({ app, request }) }, async () => {
    const { fetchJson, now } = storeMeansNow(deps);
    const granted = await grant.exchange({ url: request.url, code, app: clientOf(app) }, { fetchJson, now });
    return { token: granted.ok ? granted.token : null, granted };
  });
  const { granted } = came;
  if (!granted.ok && granted.problem !== null) return { kind: 'problem', problem: granted.problem };
  if (!granted.ok) return { kind: 'refused', again: granted.again, said: granted.said };
  try {
    return await placed(deps, { ...asked, granted, keptFor });
  } catch (thrown) {
    if (thrown instanceof Refusal) return { kind: 'refused', again: false, said: thrown.said };
    throw thrown;
  }
}

/** Unsigned, as OAuth has it: anyone who says so has the state, and does nothing by it. */
function isDenied(query: string): boolean {
  const said = new URLSearchParams(query);
  return said.get('error') === 'access_denied' && said.get('code') === null;
}

type AppRequest = { grant: AppGrant; app: StoredApp; request: GrantRequest };

/** Null: it is not what the platform signs now, for this store and this state. */
function signedCode({ grant, app, request }: AppRequest, { query, state }: Back): string | null {
  const now = Date.now();
  const read = grant.readQuery(query, liveSecrets(app, now), now);
  return read.ok && read.state === state && read.url === request.url ? read.code : null;
}

/** What an app proves itself with: the newest of its secrets. */
function clientOf(app: StoredApp): AppClient {
  const [clientSecret = ''] = liveSecrets(app, Date.now());
  return { clientId: app.clientId, clientSecret };
}

type Approved = AppRequest & { granted: Extract<Granted, { ok: true }>; keptFor: string | null; back: Back };

/** How the store is called by what its merchant approves. */
function accessBy({ app, request: { url } }: Pick<AppRequest, 'app' | 'request'>) {
  return { url, app: app.id };
}

async function placed(deps: PlaceDeps, { grant, app, request, granted: { token }, keptFor, back }: Approved): Promise<Placed> {
  const access = accessBy({ app, request });
  const { url } = access;
  const client = clientOf(app);
  const self = await grant.whoIs(access, { ...storeMeansNow(deps), app: client, tokens: passingTokens(token) });
  if (!self.ok) return { kind: 'problem', problem: self.problem };
  const own = `https://${self.store}`;
  if (own !== url) return { kind: 'problem', problem: { code: 'redirects.api', data: { to: own } } };
  const missing = grant.lacking(appWideOf(app.platform).scopes, self.scopes);
  if (missing.length > 0) return { kind: 'problem', problem: { code: 'grant.less', data: { needed: missing.join(', ') } } };
  const { identity, store } = self;
  const lacking = grant.lacking(app.scopes, self.scopes);
  return placeGrant(deps, { app, client, access, store, identity, token, keptFor, lacking, onboarding: back.onboarding });
}
