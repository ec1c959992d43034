import { rehash, signingIn } from '../../bridge/ledger/people-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Passwords } from './passwords.ts';
import { type Browser, openSession } from './sessions.ts';

export type PasswordDeps = { pool: Pool; passwords: Passwords };

type Given = Browser & { email: string; password: string };

/**
 * Signs in by a password. Null says nothing of why: an unknown address, a disabled person and one without a password cost one hash, as a wrong password
 * does.
 */
export async function signInByPassword({ pool, passwords }: PasswordDeps, { email, password, ...browser }: Given): Promise<{ token: string } | null> {
  const found = await signingIn(pool, email);
  const mayCome = found !== null && !found.isDisabled;
  const { isRight, isOutdated } = await passwords.check(password, mayCome ? found.password : null);
  if (!mayCome || found.password === null || !isRight) return null;
  if (isOutdated) await rehash(pool, found.id, { from: found.password, to: await passwords.hash(password) });
  return openSession({ pool }, { person: found, way: 'password', ...browser });
}
