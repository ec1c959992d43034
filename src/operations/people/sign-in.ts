import { changePerson, keepPassword, personOfSubject, recognise } from '../../bridge/ledger/people/change-person.ts';
import { isNetworkOf, rehash, signingIn, updateLanguage } from '../../bridge/ledger/people/people-store.ts';
import { confirmByPassword, endSessions } from '../../bridge/ledger/people/session-store.ts';
import { emailAddress } from '../../contract/email-address.ts';
import { PERSON_ROLES, type PersonRole } from '../../contract/person-role.ts';
import { isPlainName } from '../../contract/text.ts';
import { PROGRAM } from '../../platform/audit-log/audit-log.ts';
import { networkOf } from '../../platform/http/request-origin.ts';
import { limitConcurrency } from '../../platform/limit-concurrency.ts';
import { checkPassword, hashPassword } from '../../platform/password-hash.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { TokenBuckets } from '../../platform/rate-limit.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { refuseName } from '../plain-name.ts';
import { Refusal } from '../refusal.ts';
import { enter, type FactorDeps, type Opened } from './second-factor.ts';
import { actorOf, type Browser, openSession, type Person, type Proving, type SignedIn } from './sessions.ts';

export type PasswordDeps = { pool: Pool; passwords: Passwords };
export type PasswordEntry = PasswordDeps & FactorDeps;

type PasswordSignIn = Browser & { email: string; password: string };

/**
 * Signs in by a password. Null says nothing of why: an unknown address, a disabled person and one without a password cost one hash, as a wrong password
 * does.
 */
export async function signInByPassword(deps: PasswordEntry, { email, password, ...browser }: PasswordSignIn): Promise<Opened | null> {
  const { pool, passwords } = deps;
  const found = await signingIn(pool, email);
  const mayCome = found !== null && !found.isDisabled;
  const { isRight, isOutdated } = await passwords.check(password, mayCome ? found.password : null);
  if (!mayCome || found.password === null || !isRight) return null;
  if (isOutdated) await rehash(pool, found.id, { from: found.password, to: await passwords.hash(password) });
  return enter(deps, { person: found, way: 'password', ...browser });
}

/** Who is signed in proves again who they are. False: it is not their password, the session has ended, or it goes on so already. */
export async function confirmWithPassword({ pool, passwords }: PasswordDeps, { person, session, token }: Proving, password: string): Promise<boolean> {
  const found = await signingIn(pool, person.email);
  if (found === null || found.password === null || !(await passwords.check(password, found.password)).isRight) return false;
  return confirmByPassword(pool, { session, person: found, token: hashOf(token) });
}

/** Passwords are hashed few at once, because each takes 19 MiB; `TooManyWait` is thrown if too many wait. */
export type Passwords = { hash: typeof hashPassword; check: typeof checkPassword };

const AT_ONCE = 2;
/** These take a few seconds in all. */
const MOST_WAITING = 50;

export function createPasswords(): Passwords {
  const limited = limitConcurrency({ atOnce: AT_ONCE, mostWaiting: MOST_WAITING });
  return {
    hash: (password) => limited(() => hashPassword(password)),
    check: (password, stored) => limited(() => checkPassword(password, stored)),
  };
}

const TRIES_AT_ONCE = 5;
/** 5 a minute. */
const PER_SECOND = 5 / 60;

/** `isKnown`: this account signed in from this network before. */
type Try = { address: string; account: string; isKnown?: boolean };

/**
 * Slows those who guess: 5 tries a minute of one network, and 5 for one account, no matter who it is; but those of a network from which its person came
 * before are counted apart, so that nobody else locks them out. A try that was right costs nothing.
 */
export class SignInThrottle {
  readonly #networks: TokenBuckets;
  /** Apart, so that invented accounts push out no network. */
  readonly #accounts: TokenBuckets;

  /** `now`: ms, never going back */
  constructor({ now }: { now(): number }) {
    this.#networks = new TokenBuckets({ burst: TRIES_AT_ONCE, now });
    this.#accounts = new TokenBuckets({ burst: TRIES_AT_ONCE, now });
  }

  /** Counts a try before it is made; 0, or the ms until the next may be made. */
  take(made: Try): number {
    const network = networkOf(made.address);
    const wait = this.#networks.take(network, PER_SECOND);
    if (wait > 0) return wait;
    const waitMs = this.#accounts.take(accountOf(made), PER_SECOND);
    if (waitMs > 0) this.#networks.giveBack(network);
    return waitMs;
  }

  giveBack(made: Try): void {
    this.#networks.giveBack(networkOf(made.address));
    this.#accounts.giveBack(accountOf(made));
  }
}

function accountOf({ account, address, isKnown = false }: Try): string {
  return isKnown ? `${account.toLowerCase()} ${networkOf(address)}` : account.toLowerCase();
}

/** Did they sign in from this network before? */
export function cameFromHere({ pool }: { pool: Pool }, from: { account: string; network: string }): Promise<boolean> {
  return isNetworkOf(pool, from);
}

/** no-role: the claim gives none. taken: somebody who comes in another way has the address. */
export type NotEntered = { why: 'no-role' | 'disabled' | 'taken' };

type GivenByProvider = Browser & {
  identity: { issuer: string; subject: string; claims: Claims; signedInAt: Date | null };
  rules: RoleRules;
  lang: 'en' | 'bg';
};

/** Signs in somebody whom the identity provider has recognised, with the role that it gives them. Anyone who has none any more is signed out everywhere. */
export async function signInByOidc({ pool }: { pool: Pool }, { identity, rules, lang, ...browser }: GivenByProvider): Promise<{ token: string } | NotEntered> {
  const { claims, issuer, subject } = identity;
  const role = roleOf(claims, rules);
  if (role === null) {
    const known = await personOfSubject(pool, identity);
    if (known !== null) await endSessions(pool, { person: known.id }, { by: PROGRAM });
    return { why: 'no-role' };
  }
  const found = await recognise(pool, { issuer, subject, email: addressOf(claims, identity), name: nameOf(claims), role, lang });
  return 'why' in found
    ? found
    : ((await openSession({ pool }, { person: found.person, way: 'oidc', confirmedAt: identity.signedInAt, ...browser })) ?? { why: 'disabled' });
}

type Claims = Readonly<Record<string, unknown>>;

/** Which role a value of the claim gives. */
export type RoleRules = { roleClaim: string; roles: readonly { role: PersonRole; value: string }[] };

/** The highest role of those that the claim gives; null: none. */
export function roleOf(claims: Claims, { roleClaim, roles }: RoleRules): PersonRole | null {
  // An address that nobody has checked could be anybody's.
  if (roleClaim === 'email' && !isVerified(claims)) return null;
  const values = valuesOf(claims, roleClaim);
  const given = new Set(roles.filter(({ value }) => values.includes(value)).map(({ role }) => role));
  return PERSON_ROLES.find((role) => given.has(role)) ?? null;
}

/** By its whole name, else with dots that lead inwards. */
function valuesOf(claims: Claims, name: string): unknown[] {
  const found = Object.hasOwn(claims, name) ? claims[name] : name.split('.').reduce<unknown>(memberOf, claims);
  return [found].flat();
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

/** The e-mail address that the provider has checked; else a name that is no mailbox, and nobody else's there. */
export function addressOf(claims: Claims, { issuer, subject }: { issuer: string; subject: string }): string {
  const { success, data } = emailAddress.safeParse(claims['email']);
  if (success && isVerified(claims)) return data;
  return `${subject.replace(/[^\w.-]/g, '-')}@${new URL(issuer).hostname}.invalid`;
}

function isVerified({ email_verified: said }: Claims): boolean {
  return said === true || said === 'true';
}

const LONGEST_NAME = 200;

export function nameOf({ name }: Claims): string {
  return typeof name === 'string' && isPlainName(name.trim()) ? name.trim().slice(0, LONGEST_NAME) : '';
}

export async function changeOwn({ pool }: { pool: Pool }, person: Person, change: Pick<Person, 'name' | 'lang'>): Promise<void> {
  refuseName(change.name);
  await changePerson(pool, person.id, { change, by: actorOf(person) });
}

/**
 * Who has a password gives it; every other session ends. False: it was not the old one. Refuses anyone who comes by the identity provider: a password would
 * outlive the role that is given there. False, too, if the password was changed or reset meanwhile.
 */
export async function changePassword(
  { pool, passwords }: PasswordDeps,
  { person, session }: SignedIn,
  { old, password }: { old: string; password: string },
): Promise<boolean> {
  if (person.issuer !== null) {
    throw new Refusal('conflict', {
      en: 'you sign in with your identity provider, whose word must end your access, too: an owner gives you a way in of your own with a reset',
      bg: 'влизате чрез доставчика на самоличност, който трябва да може и да спре достъпа ви: собственикът дава собствен вход с нулиране',
    });
  }
  const found = await signingIn(pool, person.email);
  if (found === null || (found.password !== null && !(await passwords.check(old, found.password)).isRight)) return false;
  return keepPassword(pool, found, { password: await passwords.hash(password), allBut: session });
}

export function chooseLanguage({ pool }: { pool: Pool }, { id }: Pick<Person, 'id'>, lang: Person['lang']): Promise<void> {
  return updateLanguage(pool, id, lang);
}
