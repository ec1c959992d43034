import { isCommonPassword } from '../../platform/password-hash.ts';

const SHORTEST_PASSWORD = 12;
const LONGEST_PASSWORD = 200;
/** So many signs beside what others know are no secret. */
const FEW = 4;

/** Why a password can't be chosen: too short, too long, made of what others know of its person and this program, or among the most common ones. */
export type PasswordProblem = 'short' | 'long' | 'known' | 'common';

/** `url`: where people reach the console; null: it is not known. */
export function passwordProblem(password: string, { email, name }: { email: string; name: string }, url: string | null): PasswordProblem | null {
  const length = [...password].length;
  if (length < SHORTEST_PASSWORD) return 'short';
  if (length > LONGEST_PASSWORD) return 'long';
  const lower = password.toLowerCase().trim();
  const host = url === null ? '' : new URL(url).hostname;
  const known = [email, email.split('@')[0] ?? '', name, host, ...host.split('.'), 'orderbridge'].map((text) => text.toLowerCase());
  const left = known.filter((text) => text.length >= FEW).reduce((text, one) => text.replaceAll(one, ''), lower);
  if (new Set(lower).size < FEW || left.length < FEW) return 'known';
  return isCommonPassword(lower) ? 'common' : null;
}
