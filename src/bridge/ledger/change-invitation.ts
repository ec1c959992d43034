import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { authorOf, type Said } from '../../platform/trail/trail.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { earlierWays, prolongOnboarding } from './invitation-store.ts';
import {
  insertOnboarding,
  insertOnboardingLink,
  type NewOnboarding,
  revokeOnboarding,
  revokeOnboardingLinks,
  type StoredOnboarding,
  saveOnboarding,
} from './onboarding-store.ts';

/** `token`: SHA-256 of what the link says. */
type NewInvitation = NewOnboarding & { token: Buffer };

/** One merchant's way, with the link that opens it. With a shop, whose sales these are was said by who invites. */
export function addInvitation(pool: Pool, { token, ...given }: NewInvitation): Promise<StoredOnboarding> {
  return inTransaction(pool, async (tx) => {
    const made = await insertOnboarding(tx, given);
    if (given.shopId !== null) await saveOnboarding(tx, made, { step: 'company', done: true });
    await insertOnboardingLink(tx, { token, onboarding: made.id, scope: 'all', days: given.days });
    const { company = null } = given;
    const after = { shopId: given.shopId, ...(company !== null && { company }), mail: given.email === null ? 'none' : 'given' };
    await writeBridgeActs(tx, [{ who: given.who, act: 'invitation.made', subject: made.id, after }]);
    return made;
  });
}

type Which = Pick<StoredOnboarding, 'id' | 'connectionId'>;

function subjectOf({ id, connectionId }: Which): { subject: string; connectionId?: string } {
  return { subject: id, ...(connectionId === null ? {} : { connectionId }) };
}

type NewWay = { token: Buffer; scope: 'all' | 'status'; days: number | null };

/** Another link instead of all before it. One to the whole way opens it for so many days from now on. */
export async function replaceLink(pool: Pool, which: Which, { token, scope, days, ...said }: NewWay & Said): Promise<void> {
  await inTransaction(pool, async (tx) => {
    if (scope === 'all' && days !== null) await prolongOnboarding(tx, { id: which.id, days });
    for (const ended of ['all', 'status', 'step', 'confirm']) await revokeOnboardingLinks(tx, { onboarding: which.id, scope: ended });
    await insertOnboardingLink(tx, { token, onboarding: which.id, scope, days });
    await writeBridgeActs(tx, [{ ...authorOf(said), act: 'invitation.renewed', ...subjectOf(which) }]);
  });
}

/** The links of these scopes end (`step`: those to any one step); returns how many did. */
export function endLinks(pool: Pool, which: Which, { scopes, ...said }: { scopes: readonly string[] } & Said): Promise<number> {
  return inTransaction(pool, async (tx) => {
    let ended = 0;
    for (const scope of scopes) ended += await revokeOnboardingLinks(tx, { onboarding: which.id, scope });
    if (ended > 0) await writeBridgeActs(tx, [{ ...authorOf(said), act: 'link.ended', after: { scopes, ended }, ...subjectOf(which) }]);
    return ended;
  });
}

/** The way has its store; the ways of merchants who had this store before end. Null: somebody else changed it since it was read at `version`. */
export function connectOnboarding(
  pool: Pool,
  onboarding: Pick<StoredOnboarding, 'id' | 'version'>,
  { connectionId, ...said }: { connectionId: string } & Said,
): Promise<StoredOnboarding | null> {
  return inTransaction(pool, async (tx) => {
    const saved = await saveOnboarding(tx, onboarding, { connectionId, sealed: null });
    if (saved !== null) await endEarlierWays(tx, { connectionId, except: saved.id, ...said });
    return saved;
  });
}

/** The ways of merchants who had this store before end, all but this one: what their links would open may be another’s now. Returns how many did. */
export async function endEarlierWays(
  tx: Queryable,
  { connectionId, except, ...said }: { connectionId: string; except: string | null } & Said,
): Promise<number> {
  const ways = await earlierWays(tx, { connectionId, except });
  for (const id of ways) await revoke(tx, { id, connectionId }, said);
  return ways.length;
}

/** All of its links end. */
export async function endInvitation(pool: Pool, which: Which, said: Said): Promise<void> {
  await inTransaction(pool, (tx) => revoke(tx, which, said));
}

async function revoke(tx: Queryable, which: Which, said: Said): Promise<void> {
  if (await revokeOnboarding(tx, which.id)) await writeBridgeActs(tx, [{ ...authorOf(said), act: 'invitation.revoked', ...subjectOf(which) }]);
}
