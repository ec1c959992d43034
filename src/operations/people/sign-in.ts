import { rehash, signingIn } from '../../bridge/ledger/people-store.ts';
import { networkOf } from '../../platform/http/request-origin.ts';
import { limitConcurrency } from '../../platform/limit-concurrency.ts';
import { checkPassword, hashPassword } from '../../platform/password-hash.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { TokenBuckets } from '../../platform/rate-limit.ts';
import { type Browser, openSession } from './sessions.ts';

export type PasswordDeps = { pool: Pool; passwords: Passwords };

type PasswordSignIn = Browser & { email: string; password: string };

/**
 * Signs in by a password. Null says nothing of why: an unknown address, a disabled person and one without a password cost one hash, as a wrong password
 * does.
 */
export async function signInByPassword({ pool, passwords }: PasswordDeps, { email, password, ...browser }: PasswordSignIn): Promise<{ token: string } | null> {
  const found = await signingIn(pool, email);
  const mayCome = found !== null && !found.isDisabled;
  const { isRight, isOutdated } = await passwords.check(password, mayCome ? found.password : null);
  if (!mayCome || found.password === null || !isRight) return null;
  if (isOutdated) await rehash(pool, found.id, { from: found.password, to: await passwords.hash(password) });
  return openSession({ pool }, { person: found, way: 'password', ...browser });
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

const SHORTEST_PASSWORD = 12;
const LONGEST_PASSWORD = 200;

/** Why a password can't be chosen: too short, too long, or made of what others know of its person. */
export type PasswordProblem = 'short' | 'long' | 'known';

export function passwordProblem(password: string, { email, name }: { email: string; name: string }): PasswordProblem | null {
  const length = [...password].length;
  if (length < SHORTEST_PASSWORD) return 'short';
  if (length > LONGEST_PASSWORD) return 'long';
  const lower = password.toLowerCase().trim();
  const isKnown = [email, name].some((text) => text !== '' && lower === text.toLowerCase()) || new Set(lower).size < 4;
  return isKnown ? 'known' : null;
}

const TRIES_AT_ONCE = 5;
/** 5 a minute. */
const PER_SECOND = 5 / 60;

type Try = { address: string; account: string };

/** Slows those who guess: 5 tries a minute of one network, and 5 for one account, whoever it is. A try that was right costs nothing. */
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
  take({ address, account }: Try): number {
    const network = networkOf(address);
    const wait = this.#networks.take(network, PER_SECOND);
    if (wait > 0) return wait;
    const waitMs = this.#accounts.take(account.toLowerCase(), PER_SECOND);
    if (waitMs > 0) this.#networks.giveBack(network);
    return waitMs;
  }

  giveBack({ address, account }: Try): void {
    this.#networks.giveBack(networkOf(address));
    this.#accounts.giveBack(account.toLowerCase());
  }
}
