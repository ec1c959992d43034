import { z } from 'zod';
import { appOf } from '../../bridge/connections/connection.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import {
  endHandOver,
  findHandOver,
  insertHandOver,
  refusedHandOver,
  refuseHandOver,
  takeHandOver,
  takenHandOvers,
} from '../../bridge/ledger/invitations/hand-over-store.ts';
import { findOnboarding } from '../../bridge/ledger/invitations/onboarding-store.ts';
import { passingTokens } from '../../bridge/store-api/store-means.ts';
import type { AppClient } from '../../bridge/storefronts/app-grant.ts';
import type { AccessToken, StoreAccess } from '../../bridge/storefronts/contract.ts';
import type { KeyWay, StoreHint, StoreProblem, StoreProblemCode, VerifiedCredentials } from '../../bridge/storefronts/onboarding.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { Config } from '../../config/config.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { openOrNull, type SealedPlace, type Sealer } from '../../platform/seal.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { reconnectStore } from '../connections/reconnect-store.ts';
import { secretProblem } from '../connections/store-secrets.ts';
import { newToken } from '../people/sessions.ts';
import { Refusal } from '../refusal.ts';
import { recallConnection, type SealedStore, sealStore } from './kept-store.ts';
import { type Onboarding, saveStep } from './onboarding.ts';
import { type FetchDeps, foundStore, onboardingOf, type StoreAtAddress, storeMeansNow } from './store.ts';

export type KeysDeps = FetchDeps & {
  pool: Pool;
  sealer: Sealer;
  connections: FindConnection & Parameters<typeof reconnectStore>[0]['connections'];
  notify: Notify;
  config: Pick<Config, 'trustedHttpHosts'>;
};

/** `granted`: what its merchant approved at the store, if that is how the keys came. */
type NewKeys = { url: string; credentials: Readonly<Record<string, string>>; by: Actor; granted?: GrantedKeys };
/** `client`: what the app proves itself with. */
type GrantedKeys = { token: AccessToken; identity: string; client: AppClient; notes: readonly StoreProblem<StoreHint>[] };

const LONGEST = 500;

/** Tries keys by calling the store, and keeps those that work: sealed until there is a connection, then in its place. */
export async function takeKeys(deps: KeysDeps, onboarding: Onboarding, given: NewKeys): Promise<VerifiedCredentials> {
  const store = requireFound(onboarding);
  const verifyCredentials = onboardingOf(onboarding.platform)?.verifyCredentials;
  if (verifyCredentials === undefined) throw notFound();
  const access: StoreAccess = { ...given.credentials, url: given.url };
  const secret = secretIn(onboarding, access);
  if (secret !== null && secretProblem(storefrontOf(storefronts, onboarding.platform ?? ''), secret) !== null)
    return { ok: false, problem: { code: 'keys.refused' } };
  const { granted } = given;
  const means = storeMeansNow(deps);
  const verified = await verifyCredentials(access, granted === undefined ? means : { ...means, app: granted.client, tokens: passingTokens(granted.token) });
  if (!verified.ok) return verified;
  const found = [...verified.notes, ...(granted?.notes ?? [])];
  const notes = [...store.notes.filter(({ code }) => found.every((one) => one.code !== code)), ...found];
  const progress = { ...store, notes, mayWrite: verified.mayWrite, version: verified.version, app: appOf(access) };
  const recalled = await recallConnection(deps, onboarding, given.by);
  if (recalled.connectionId !== null) await renew(deps, recalled.connectionId, { access, secret, granted, by: given.by });
  const sealed = recalled.connectionId === null ? { sealed: sealStore(deps.sealer, recalled.id, toKeep({ access, secret, granted })) } : {};
  await saveStep(deps, recalled, { step: 'store', done: true, progress, ...sealed });
  return verified;
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
  const given = { ...deps, compliance, firstTry: null, fetchJson: stores.fetchJson, trustedHttpHosts: config.trustedHttpHosts, by };
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

function requireFound(onboarding: Onboarding): StoreAtAddress {
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

type Deps = { pool: Pool; sealer: Sealer };

export const HAND_OVER_MINUTES = 15;

const keys = z.record(z.string(), z.string());

// The row has no other id than the hash of what the store brings back.
const placeOf = (state: Buffer): SealedPlace => ({ table: 'bridge.hand_overs', column: 'sealed', id: state.toString('hex') });

/** Where the merchant's browser goes to have their store hand its keys over; what the store brings back is good once, for a quarter of an hour. */
export async function beginHandOver(deps: Deps, onboarding: Onboarding, { base, returnUrl }: { base: string; returnUrl: string }): Promise<string> {
  const { url, canHandOver } = requireFound(onboarding);
  const handOver = onboardingOf(onboarding.platform)?.handOver;
  if (handOver === undefined || !canHandOver) throw unable();
  const state = newToken();
  await insertHandOver(deps.pool, { state: hashOf(state), onboarding: onboarding.id, url, minutes: HAND_OVER_MINUTES });
  return handOver.address({ url, state, returnUrl, callbackUrl: `${base}/connect/callback/${onboarding.platform}` });
}

/** Keeps what somebody posted as a store's keys; false: nobody asked for them, or they came too late. Nothing is proved by it. */
export async function takeHandedOver({ pool, sealer }: Deps, platform: string, body: unknown): Promise<boolean> {
  const posted = onboardingOf(platform)?.handOver?.read(body) ?? null;
  if (posted === null) return false;
  const state = hashOf(posted.state);
  const asked = await findHandOver(pool, state);
  const onboarding = asked === null ? null : await findOnboarding(pool, asked.onboarding);
  if (onboarding === null || onboarding.platform !== platform || onboarding.revokedAt !== null) return false;
  return takeHandOver(pool, { state, sealed: sealer.seal(JSON.stringify(posted.credentials), placeOf(state)) });
}

/** What became of the keys that were asked for. awaited: none came. */
type HandedOver = { kind: 'verified' } | { kind: 'awaited' } | { kind: 'refused'; problem: StoreProblem };

/** What a store says of keys that it will never take. */
const REFUSALS = ['keys.refused', 'keys.unseen', 'keys.user'] as const satisfies readonly StoreProblemCode[];

/** True: keys came that are not tried yet, or could not be; trying them calls the store. */
export async function areKeysHere({ pool }: Pick<Deps, 'pool'>, onboarding: Onboarding): Promise<boolean> {
  const store = foundStore(onboarding);
  return store !== null && (await takenHandOvers(pool, { onboarding: onboarding.id, url: store.url })).length > 0;
}

/** Tries the keys that came, the newest first, at the store that was asked for them; those that it refuses are forgotten. */
export async function finishHandOver(deps: KeysDeps, onboarding: Onboarding, by: Actor): Promise<HandedOver> {
  const { url } = requireFound(onboarding);
  let problem: StoreProblem | null = null;
  for (const { state, sealed } of await takenHandOvers(deps.pool, { onboarding: onboarding.id, url })) {
    const opened = openOrNull(deps.sealer, sealed, placeOf(state));
    if (opened === null) continue;
    const credentials = keys.parse(JSON.parse(opened));
    const verified = await takeKeys(deps, onboarding, { url, credentials, by });
    if (verified.ok) {
      await endHandOver(deps.pool, state);
      return { kind: 'verified' };
    }
    problem ??= verified.problem;
    const why = REFUSALS.find((code) => code === verified.problem.code);
    if (why !== undefined) await refuseHandOver(deps.pool, { state, sealed, why });
  }
  if (problem !== null) return { kind: 'refused', problem };
  if (onboarding.done.includes('store') && onboarding.connectionId === null) return { kind: 'verified' };
  const why = await refusedHandOver(deps.pool, { onboarding: onboarding.id, url });
  const code = REFUSALS.find((one) => one === why);
  return code === undefined ? { kind: 'awaited' } : { kind: 'refused', problem: { code } };
}

function unable(): Refusal {
  return new Refusal('conflict', {
    en: 'this store can’t hand its keys over: paste them',
    bg: 'този магазин не може да предаде ключовете си сам: поставете ги',
  });
}
