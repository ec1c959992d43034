import type { Connection } from '../../bridge/connections/connection.ts';
import { connectOnboarding } from '../../bridge/ledger/change-invitation.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { SealBroken, type Sealer } from '../../platform/seal.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { ChangedMeanwhile, type Onboarding, toOnboarding } from './onboarding.ts';
import { openStore } from './sealed-store.ts';

export type RecallDeps = { pool: Pool; sealer: Sealer; connections: { list(): Promise<Connection[]> } };

/** Notes the connection that a press made which died before it could, since the secret by which it is known is about to be replaced. */
export async function recallConnection(deps: RecallDeps, onboarding: Onboarding, by: Actor): Promise<Onboarding> {
  const secret = onboarding.connectionId === null ? keptSecret(deps.sealer, onboarding) : undefined;
  const made = secret === undefined ? null : await ofOurs(deps, onboarding, secret);
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
function keptSecret(sealer: Sealer, onboarding: Onboarding): string | undefined {
  try {
    return openStore(sealer, onboarding)?.secret;
  } catch (thrown) {
    if (thrown instanceof SealBroken) return undefined;
    throw thrown;
  }
}

/** The live connection of the shop, if an earlier press made it: it has the secret that was kept for it. */
export async function ofOurs({ connections }: Pick<RecallDeps, 'connections'>, { shopId }: Onboarding, secret: string): Promise<Connection | null> {
  const live = (await connections.list()).find((one) => one.shopId === shopId && one.closedAt === null);
  return live?.secrets.some((one) => one.secret === secret) === true ? live : null;
}
