import { z } from 'zod';
import {
  endHandOver,
  findHandOver,
  insertHandOver,
  refusedHandOver,
  refuseHandOver,
  takeHandOver,
  takenHandOvers,
} from '../../bridge/ledger/hand-over-store.ts';
import { findOnboarding } from '../../bridge/ledger/onboarding-store.ts';
import type { LookCode, LookProblem } from '../../bridge/storefronts/onboarding.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Place, Sealer } from '../../platform/seal.ts';
import { hashOf } from '../../platform/token-hash.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { newToken } from '../people/sessions.ts';
import { Refusal } from '../refusal.ts';
import type { Onboarding } from './onboarding.ts';
import { type KeysDeps, requireFound, takeKeys } from './store-keys.ts';
import { onboardingOf } from './store-means.ts';
import { foundStore } from './store-progress.ts';

type Deps = { pool: Pool; sealer: Sealer };

export const HAND_OVER_MINUTES = 15;

const keys = z.record(z.string(), z.string());

// The row has no other id than the hash of what the store brings back.
const placeOf = (state: Buffer): Place => ({ table: 'bridge.hand_overs', column: 'sealed', id: state.toString('hex') });

/** Where the merchant's browser goes to have his store hand its keys over; what the store brings back is good once, for a quarter of an hour. */
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
export type HandedOver = { kind: 'proved' } | { kind: 'awaited' } | { kind: 'refused'; problem: LookProblem };

/** What a store says of keys that it will never take. */
const REFUSALS = ['keys.refused', 'keys.unseen', 'keys.user'] as const satisfies readonly LookCode[];

/** True: keys came that are not tried yet, or could not be; trying them calls the store. */
export async function areKeysHere({ pool }: Pick<Deps, 'pool'>, onboarding: Onboarding): Promise<boolean> {
  const store = foundStore(onboarding);
  return store !== null && (await takenHandOvers(pool, { onboarding: onboarding.id, url: store.url })).length > 0;
}

/** Tries the keys that came, the newest first, at the store that was asked for them; those that it refuses are forgotten. */
export async function finishHandOver(deps: KeysDeps, onboarding: Onboarding, by: Actor): Promise<HandedOver> {
  const { url } = requireFound(onboarding);
  let problem: LookProblem | null = null;
  for (const { state, sealed } of await takenHandOvers(deps.pool, { onboarding: onboarding.id, url })) {
    const credentials = keys.parse(JSON.parse(deps.sealer.open(sealed, placeOf(state))));
    const proved = await takeKeys(deps, onboarding, { url, credentials, by });
    if (proved.ok) {
      await endHandOver(deps.pool, state);
      return { kind: 'proved' };
    }
    problem ??= proved.problem;
    const why = REFUSALS.find((code) => code === proved.problem.code);
    if (why !== undefined) await refuseHandOver(deps.pool, { state, sealed, why });
  }
  if (problem !== null) return { kind: 'refused', problem };
  if (onboarding.done.includes('store') && onboarding.connectionId === null) return { kind: 'proved' };
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
