import { nearestName } from '../contract/did-you-mean.ts';
import { describeEnvironment } from './environment.ts';

/** A variable that is set, and that nothing reads. `meant`: the one that it is most like; null: there is none. */
export type MisspeltVariable = { name: string; meant: string | null };

/** Variables that begin so are ours alone. */
const OURS = 'COMPLIANCE_';
/** Names as short as PORT are near to many that mean something else. */
const LEAST = 6;

/** Variables of the environment that look like ours, and are not. */
export function misspeltVariables(env: Record<string, string | undefined>): MisspeltVariable[] {
  const known = new Set(describeEnvironment().flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])));
  const candidates = [...known].filter((name) => name.length >= LEAST);
  return Object.entries(env).flatMap(([name, value]) => {
    if (known.has(name) || value === undefined || value.trim() === '' || name.length < LEAST) return [];
    const meant = candidates.find((known) => name === `${known}_FILE`) ?? nearestName(name, candidates);
    return meant !== null || name.startsWith(OURS) ? [{ name, meant }] : [];
  });
}

/** "PUBIC_URL is set, and nothing reads it; did you mean PUBLIC_URL?" */
export function misspeltWords({ name, meant }: MisspeltVariable): string {
  return `${name} is set, and nothing reads it; ${meant === null ? 'the table of variables has the names' : `did you mean ${meant}?`}`;
}
