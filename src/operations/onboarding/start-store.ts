import { endWays } from '../../bridge/ledger/onboarding-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { startMoment } from '../trial/start-moment.ts';
import { startRecording } from '../trial/start-recording.ts';
import type { Onboarding } from './onboarding.ts';

type Deps = { now(): Date } & Parameters<typeof startRecording>[0];
type OfStore = Pick<Onboarding, 'connectionId'>;

/** Ends the trial of the store that a merchant connected, and his way with it. `from`: now, month, a day, or an instant. */
export async function startStore(deps: Deps, { connectionId }: OfStore, { from, by }: { from: string; by: Actor }): Promise<void> {
  if (connectionId === null) return;
  await startRecording(deps, { id: connectionId, from: startMoment(from, deps.now()), by });
}

/** The way is done: also where the store recorded before the way knew it. */
export async function endWay({ pool }: { pool: Pool }, { connectionId }: OfStore): Promise<void> {
  if (connectionId !== null) await endWays(pool, connectionId);
}
