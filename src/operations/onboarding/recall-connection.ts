import type { Connection } from '../../bridge/connections/connection.ts';
import { connectOnboarding } from '../../bridge/ledger/change-invitation.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { SealBroken, type Sealer } from '../../platform/seal.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { ChangedMeanwhile, type Onboarding, toOnboarding } from './onboarding.ts';
import { openStore, type SealedStore } from './sealed-store.ts';

export type RecallDeps = { pool: Pool; sealer: Sealer; connections: { list(): Promise<Connection[]> } };

/** Notes the connection that a press made which died before it could, since the secret by which it is known is about to be replaced. */
export async function recallConnection(deps: RecallDeps, onboarding: Onboarding, by: Actor): Promise<Onboarding> {
  const kept = onboarding.connectionId === null ? keptStore(deps.sealer, onboarding) : null;
  const made = kept === null ? null : await ofOurs(deps, onboarding, kept);
  if (made === null) return onboarding;
  const noted = await noteConnection(deps, onboarding, { connectionId: made.id, by });
  if (noted === null) throw new ChangedMeanwhile();
  return noted;
}

/** The way has its store. If merchants had it before, their ways end: their links would open what is another’s now. Null: another window was faster. */
export async function noteConnection(
  { pool }: Pick<RecallDeps, 'pool'>,
  given: Onboarding,
  made: { connectionId: string; by: Actor },
): Promise<Onboarding | null> {
  const noted = await connectOnboarding(pool, given, made);
  return noted === null ? null : toOnboarding(noted);
}

/** What does not open any more is replaced without it. */
export function keptStore(sealer: Sealer, onboarding: Pick<Onboarding, 'id' | 'sealed'>): SealedStore | null {
  try {
    return openStore(sealer, onboarding);
  } catch (thrown) {
    if (thrown instanceof SealBroken) return null;
    throw thrown;
  }
}

/** The live connection of the shop, if an earlier press made it: it is of the store, and has the secret, that were kept for it; stores of an app share one. */
export async function ofOurs({ connections }: Pick<RecallDeps, 'connections'>, { shopId }: Onboarding, kept: SealedStore): Promise<Connection | null> {
  const live = (await connections.list()).find((one) => one.shopId === shopId && one.closedAt === null);
  if (live === undefined || live.access?.url !== kept.access?.url) return null;
  return live.secrets.some(({ secret }) => secret === kept.secret) ? live : null;
}
