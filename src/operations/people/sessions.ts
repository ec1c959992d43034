import { randomBytes } from 'node:crypto';
import { personOfId, type StoredPerson } from '../../bridge/ledger/people/people-store.ts';
import {
  endSession as endInLedger,
  endSessions,
  findSession,
  leftAt as leftInLedger,
  liveSessions,
  type NewSession,
  openSession as openInLedger,
  type ShownSession,
} from '../../bridge/ledger/people/session-store.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';

export type Person = StoredPerson;
export type Session = ShownSession;

/** Who uses the console now. `isConfirmed`: they proved in the last ten minutes who they are; `isByFactor`: by a second factor. */
export type SignedIn = { session: string; person: Person; isConfirmed: boolean; isByFactor: boolean };

/** Who proves again who they are, and the token under which their session goes on then. */
export type Proving = Pick<SignedIn, 'session' | 'person'> & { token: string };

/** How a browser comes in: what it calls itself, the session that it had before, which ends, and a digest of its network. */
export type Browser = { agent: string; instead?: string | null; network?: string };

/** `way`: password, link, oidc or demo. */
type Opening = Browser & Pick<NewSession, 'person' | 'way' | 'confirmedAt' | 'prove'>;

const TOKEN_BYTES = 32;
const LONGEST_AGENT = 200;

/** Signs a person in; the token is for their browser alone, and only its hash is stored. Null: what was checked of them no longer holds. */
export async function openSession({ pool }: { pool: Pool }, { agent, ...opening }: Opening): Promise<{ token: string } | null> {
  const token = newToken();
  return (await openInLedger(pool, { token: hashOf(token), agent: agent.slice(0, LONGEST_AGENT), ...opening })) ? { token } : null;
}

/** Null: nobody is signed in with this token. */
export async function signedInBy({ pool }: { pool: Pool }, token: string, look: { isLook?: boolean } = {}): Promise<SignedIn | null> {
  return findSession(pool, hashOf(token), look);
}

/** When somebody left before they came back (ISO instant), having done nothing for half an hour; null: they are here for the first time. */
export function leftAt({ pool }: { pool: Pool }, { id }: Pick<Person, 'id'>): Promise<string | null> {
  return leftInLedger(pool, id);
}

export async function endSession({ pool }: { pool: Pool }, session: string): Promise<void> {
  await endInLedger(pool, session);
}

/** Those of a person that go on, the last seen first. */
export function sessionsOf({ pool }: { pool: Pool }, { id }: Pick<Person, 'id'>): Promise<Session[]> {
  return liveSessions(pool, id);
}

/** Ends sessions of a person, and says how many: one, all but one, or all. */
export async function endSessionsOf({ pool }: { pool: Pool }, { by, ...ended }: { person: string; one?: string; allBut?: string; by: Actor }): Promise<number> {
  return ended.one === undefined || isUuid(ended.one) ? endSessions(pool, ended, { by }) : 0;
}

/** As the audit log names a person. */
export function actorOf({ id }: Pick<Person, 'id'>): Actor {
  return `person:${id}`;
}

export async function findPerson({ pool }: { pool: Pool }, id: string): Promise<Person | null> {
  return isUuid(id) ? personOfId(pool, id) : null;
}

/** A secret that nobody can guess. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}
