import { changePerson, keepPassword } from '../../bridge/ledger/change-person.ts';
import { signingIn, updateLanguage } from '../../bridge/ledger/people-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { Refusal } from '../refusal.ts';
import { actorOf, type Person, type SignedIn } from './sessions.ts';
import type { PasswordDeps } from './sign-in.ts';

export async function changeOwn({ pool }: { pool: Pool }, person: Person, change: Pick<Person, 'name' | 'lang'>): Promise<void> {
  await changePerson(pool, person.id, { change, by: actorOf(person) });
}

/**
 * Who has a password gives it; every other session ends. False: it was not the old one. Refuses whoever comes by the identity provider: a password would
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
