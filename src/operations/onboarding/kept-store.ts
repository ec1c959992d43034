import { z } from 'zod';
import type { Connection } from '../../bridge/connections/connection.ts';
import { storedToken } from '../../bridge/ledger/connections/store-tokens.ts';
import { connectOnboarding } from '../../bridge/ledger/invitations/invitation-store.ts';
import type { AccessToken, StoreAccess } from '../../bridge/storefronts/contract.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { openOrNull, type SealedPlace, type Sealer } from '../../platform/seal.ts';
import { ChangedMeanwhile, type Onboarding, toOnboarding } from './onboarding.ts';

const content = z.object({
  access: z.record(z.string(), z.string()).nullable(),
  secret: z.string().exactOptional(),
  granted: z.object({ token: storedToken, identity: z.string() }).exactOptional(),
});

/**
 * What is kept of a store until it has a connection: its keys, and the secret that its webhooks will be signed with. `granted`: the tokens of an app that its
 * merchant approved, and the platform's own id of the store.
 */
export type SealedStore = { access: StoreAccess | null; secret?: string; granted?: { token: AccessToken; identity: string } };

const placeOf = (id: string): SealedPlace => ({ table: 'bridge.onboardings', column: 'sealed', id });

export function sealStore(sealer: Sealer, id: string, store: SealedStore): string {
  return sealer.seal(JSON.stringify(store), placeOf(id));
}

/** Null: nothing is kept, or it does not open any more, and is replaced without it. */
export function keptStore(sealer: Sealer, { id, sealed }: Pick<Onboarding, 'id' | 'sealed'>): SealedStore | null {
  const opened = sealed === null ? null : openOrNull(sealer, sealed, placeOf(id));
  if (opened === null) return null;
  const { access, ...more } = content.parse(JSON.parse(opened));
  return { access: access === null ? null : accessOf(access), ...more };
}

function accessOf({ url = '', ...credentials }: Readonly<Record<string, string>>): StoreAccess {
  return { ...credentials, url };
}

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

/** The live connection of the shop, if an earlier press made it: it is of the store, and has the secret, that were kept for it; stores of an app share one. */
export async function ofOurs({ connections }: Pick<RecallDeps, 'connections'>, { shopId }: Onboarding, kept: SealedStore): Promise<Connection | null> {
  const live = (await connections.list()).find((one) => one.shopId === shopId && one.closedAt === null);
  if (live === undefined || live.access?.url !== kept.access?.url) return null;
  return live.secrets.some(({ secret }) => secret === kept.secret) ? live : null;
}
