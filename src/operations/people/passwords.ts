import { limitConcurrency } from '../../platform/limit-concurrency.ts';
import { checkPassword, hashPassword } from '../../platform/password-hash.ts';

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
