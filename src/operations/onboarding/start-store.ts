import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { startMoment } from '../trial/start-moment.ts';
import { startRecording } from '../trial/start-recording.ts';
import { type Onboarding, saveStep } from './onboarding.ts';

type Deps = { pool: Pool; now(): Date } & Parameters<typeof startRecording>[0];

/** Ends the trial of the store that a merchant connected, and his way with it. `from`: now, month, or a day. */
export async function startStore(deps: Deps, onboarding: Onboarding, { from, by }: { from: string; by: Actor }): Promise<Onboarding> {
  if (onboarding.connectionId === null) return onboarding;
  await startRecording(deps, { id: onboarding.connectionId, from: startMoment(from, deps.now()), by });
  return endWay(deps, onboarding);
}

/** The way is done: also where whoever started it died before this was written. */
export function endWay(deps: Pick<Deps, 'pool' | 'now'>, onboarding: Onboarding): Promise<Onboarding> {
  return saveStep(deps, onboarding, { step: 'trial', done: true, startedAt: deps.now().toISOString() });
}
