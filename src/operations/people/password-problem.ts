import { isCommonPassword } from '../../platform/password-hash.ts';

const SHORTEST_PASSWORD = 12;
const LONGEST_PASSWORD = 200;
/** So many letters beside what others know are no secret, whatever digits and signs are there, too. */
const FEW = 4;
/** What passwords are made of that meet a rule. */
const WORDS = ['orderbridge', 'password', 'passwort', 'парола', 'qwerty', 'letmein', 'changeme', 'welcome', 'iloveyou'];

/** Why a password can't be chosen: too short, too long, made of what others know of its person and this program or of such words, or among the most common ones. */
export type PasswordProblem = 'short' | 'long' | 'known' | 'common';

/** `url`: where people reach the console; null: it is not known. */
export function passwordProblem(password: string, { email, name }: { email: string; name: string }, url: string | null): PasswordProblem | null {
  const length = [...password].length;
  if (length < SHORTEST_PASSWORD) return 'short';
  if (length > LONGEST_PASSWORD) return 'long';
  const lower = password.toLowerCase().trim();
  const host = url === null ? '' : new URL(url).hostname;
  const parts = `${email} ${name}`.split(/[^\p{L}\d]+/u);
  const known = [email, ...email.split('@'), name, ...parts, host, ...host.split('.'), ...WORDS].map((text) => text.toLowerCase());
  const left = known.filter((text) => text.length >= FEW).reduce((text, one) => text.replaceAll(one, ''), lower);
  const isKnown = left !== lower && left.replace(/\P{L}/gu, '').length < FEW;
  if (isKnown || new Set(lower).size < FEW) return 'known';
  return isCommonPassword(lower) ? 'common' : null;
}
