import { passwordByLink } from '../../bridge/ledger/change-person.ts';
import { countLinks, insertLink, personOfLink, useLink, voidLinks } from '../../bridge/ledger/link-store.ts';
import { personOfEmail } from '../../bridge/ledger/people-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { type Browser, newToken, openSession, type Person } from './sessions.ts';
import type { PasswordDeps } from './sign-in.ts';

type Deps = { pool: Pool };

/** Days in which somebody who was added chooses a password. */
const PASSWORD_LINK_DAYS = 3;
/** Minutes in which a mailed link signs in. */
const SIGN_IN_LINK_MINUTES = 15;
/** A mailbox gets no more of them than this at a time. */
const MOST_SIGN_IN_LINKS = 3;

/** A new link by which a person chooses a password; earlier ones end. It is a path of the console. */
export async function passwordLink({ pool }: Deps, { id }: Pick<Person, 'id'>): Promise<string> {
  const token = newToken();
  await voidLinks(pool, { person: id, kinds: ['password'] });
  await insertLink(pool, { token: hashOf(token), kind: 'password', person: { id }, minutes: PASSWORD_LINK_DAYS * 24 * 60 });
  return `/console/choose-password?code=${token}`;
}

/** A link that signs in whoever has this mailbox. Null: nobody may, he comes in by the identity provider alone, or he has enough of them. */
export async function signInLink({ pool }: Deps, { email, to }: { email: string; to: string }): Promise<{ path: string; person: Person } | null> {
  const person = await personOfEmail(pool, email);
  const isForeign = person !== null && person.issuer !== null && !person.hasPassword;
  if (person === null || person.isDisabled || isForeign || (await countLinks(pool, person.id, 'sign-in')) >= MOST_SIGN_IN_LINKS) return null;
  const token = newToken();
  const isMade = await insertLink(pool, { token: hashOf(token), kind: 'sign-in', person, minutes: SIGN_IN_LINK_MINUTES });
  if (!isMade) return null;
  return { path: `/console/enter?code=${token}&to=${encodeURIComponent(to)}`, person };
}

/** Whose link this is, without using it up; null: it can't be used. */
export function linkOwner({ pool }: Deps, { code, kind }: { code: string; kind: 'password' | 'sign-in' }): Promise<Person | null> {
  return personOfLink(pool, hashOf(code), kind);
}

/** Null: the link can't be used any more. */
export async function signInByLink({ pool }: Deps, { code, ...browser }: Browser & { code: string }): Promise<{ token: string } | null> {
  const person = await personOfLink(pool, hashOf(code), 'sign-in');
  if (person === null || !(await useLink(pool, hashOf(code), 'sign-in'))) return null;
  return openSession({ pool }, { person, way: 'link', ...browser });
}

/** The password is chosen, every session before it ends, and this browser is signed in. Null: the link can't be used any more. */
export async function choosePassword(
  { pool, passwords }: PasswordDeps,
  { code, password, ...browser }: Browser & { code: string; password: string },
): Promise<{ token: string } | null> {
  const person = await passwordByLink(pool, hashOf(code), { password: await passwords.hash(password) });
  return person === null ? null : openSession({ pool }, { person, way: 'password', ...browser });
}
