import type { Connection } from '../../bridge/connections/connection.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { SealBroken, type Sealer } from '../../platform/seal.ts';
import { type Onboarding, saveStep } from './onboarding.ts';
import { openStore } from './sealed-store.ts';

export type RecallDeps = { pool: Pool; sealer: Sealer; connections: { list(): Promise<Connection[]> } };

/** Notes the connection that a press made which died before it could, since the secret by which it is known is about to be replaced. */
export async function recallConnection(deps: RecallDeps, onboarding: Onboarding): Promise<Onboarding> {
  const secret = onboarding.connectionId === null ? keptSecret(deps.sealer, onboarding) : undefined;
  const made = secret === undefined ? null : await ofOurs(deps, onboarding, secret);
  return made === null ? onboarding : saveStep(deps, onboarding, { connectionId: made.id, sealed: null });
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
