import { addFirstOwner, type FirstOwner, passwordByLink } from '../../bridge/ledger/people/change-person.ts';
import { addLink, insertSetupLink, isSetupLink, personOfLink, replaceLink, useLink, voidLinks } from '../../bridge/ledger/people/link-store.ts';
import { isAnybodyThere, personOfEmail } from '../../bridge/ledger/people/people-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { newTypedCode, plainCode, shownCode } from '../../platform/typed-code.ts';
import { refuseName } from '../plain-name.ts';
import { enter, type FactorDeps, type Opened } from './second-factor.ts';
import { type Browser, newToken, openSession, type Person } from './sessions.ts';
import type { PasswordEntry } from './sign-in.ts';

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
  await replaceLink(pool, { token: hashOf(token), kind: 'password', person: { id }, minutes: PASSWORD_LINK_DAYS * 24 * 60 });
  return `/console/choose-password?code=${token}`;
}

/** A link that signs in anyone who has this mailbox. Null: nobody may, they come in by the identity provider alone, or they have enough of them. */
export async function signInLink({ pool }: Deps, { email, to }: { email: string; to: string }): Promise<{ path: string; person: Person } | null> {
  const person = await personOfEmail(pool, email);
  const isForeign = person !== null && person.issuer !== null && !person.hasPassword;
  if (person === null || person.isDisabled || isForeign) return null;
  const token = newToken();
  const link = { token: hashOf(token), kind: 'sign-in', person, minutes: SIGN_IN_LINK_MINUTES } as const;
  if (!(await addLink(pool, link, MOST_SIGN_IN_LINKS))) return null;
  return { path: `/console/enter?code=${token}&to=${encodeURIComponent(to)}`, person };
}

/** Whose link this is, without using it up; null: it can't be used. */
export function linkOwner({ pool }: Deps, { code, kind }: { code: string; kind: 'password' | 'sign-in' }): Promise<Person | null> {
  return personOfLink(pool, hashOf(code), kind);
}

/** Null: the link can't be used any more. */
export async function signInByLink(deps: FactorDeps, { code, ...browser }: Browser & { code: string }): Promise<Opened | null> {
  const { pool } = deps;
  const person = await personOfLink(pool, hashOf(code), 'sign-in');
  if (person === null || !(await useLink(pool, hashOf(code), 'sign-in'))) return null;
  return enter(deps, { person, way: 'link', ...browser });
}

/** Signs in whoever asks as the person of a demo. Null: nobody has this address, or they are shut out. */
export async function signInToDemo({ pool }: Deps, { email, ...browser }: Browser & { email: string }): Promise<{ token: string } | null> {
  const person = await personOfEmail(pool, email);
  return person === null || person.isDisabled ? null : openSession({ pool }, { person, way: 'demo', ...browser });
}

/** The password is chosen, every session before it ends, and this browser is signed in. Null: the link can't be used any more. */
export async function choosePassword(
  deps: PasswordEntry,
  { code, password, ...browser }: Browser & { code: string; password: string },
): Promise<Opened | null> {
  const person = await passwordByLink(deps.pool, hashOf(code), { password: await deps.passwords.hash(password) });
  return person === null ? null : enter(deps, { person, way: 'password', ...browser });
}

const MINUTES = 60;
const SETUP_LENGTH = 8;

/** A new code for the set-up link, once and for an hour, as a path of the console; earlier ones end. Null: somebody can sign in already. */
export async function offerSetupLink({ pool }: Deps): Promise<string | null> {
  await voidLinks(pool, { person: null, kinds: ['setup'] });
  if (await isAnybodyThere(pool)) return null;
  const code = newTypedCode(SETUP_LENGTH);
  await insertSetupLink(pool, { token: hashOf(code), minutes: MINUTES });
  return `/console/setup?code=${shownCode(code)}`;
}

/** Has nobody been added yet? */
export async function isSetup({ pool }: Deps): Promise<boolean> {
  return !(await isAnybodyThere(pool));
}

export function isSetupCode({ pool }: Deps, code: string): Promise<boolean> {
  return isSetupLink(pool, hashOf(plainCode(code)));
}

type SetUp = Browser & Omit<FirstOwner, 'token'> & { code: string };

/** Makes the first owner, and signs them in. Null: the code can't be used, or somebody is there already. */
export async function setUp(deps: PasswordEntry, { code, agent, instead = null, network, ...given }: SetUp): Promise<Opened | null> {
  const { pool, passwords } = deps;
  refuseName(given.name);
  const owner = await addFirstOwner(pool, { ...given, token: hashOf(plainCode(code)), password: await passwords.hash(given.password) });
  return owner === null ? null : enter(deps, { person: owner, way: 'password', agent, instead, ...(network === undefined ? {} : { network }) });
}
