import { randomInt } from 'node:crypto';
import { addFirstOwner, type FirstOwner } from '../../bridge/ledger/change-person.ts';
import { insertSetupLink, isSetupLink, voidLinks } from '../../bridge/ledger/link-store.ts';
import { isAnybodyThere } from '../../bridge/ledger/people-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { type Browser, openSession } from './sessions.ts';
import type { PasswordDeps } from './sign-in.ts';

type Deps = { pool: Pool };

const MINUTES = 60;
/** Without letters and digits that look alike. */
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

/** A new code for the set-up link, once and for an hour, as a path of the console; earlier ones end. Null: somebody can sign in already. */
export async function offerSetupLink({ pool }: Deps): Promise<string | null> {
  await voidLinks(pool, { person: null, kinds: ['setup'] });
  if (await isAnybodyThere(pool)) return null;
  const code = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  await insertSetupLink(pool, { token: hashOf(code), minutes: MINUTES });
  return `/console/setup?code=${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Has nobody been added yet? */
export async function isSetup({ pool }: Deps): Promise<boolean> {
  return !(await isAnybodyThere(pool));
}

export function isSetupCode({ pool }: Deps, code: string): Promise<boolean> {
  return isSetupLink(pool, hashOf(plain(code)));
}

type SetUp = Browser & Omit<FirstOwner, 'token'> & { code: string };

/** Makes the first owner, and signs him in. Null: the code can't be used, or somebody is there already. */
export async function setUp({ pool, passwords }: PasswordDeps, { code, agent, instead = null, ...given }: SetUp): Promise<{ token: string } | null> {
  const owner = await addFirstOwner(pool, { ...given, token: hashOf(plain(code)), password: await passwords.hash(given.password) });
  return owner === null ? null : openSession({ pool }, { person: owner, way: 'password', agent, instead });
}

/** As it was printed, or typed by hand. */
function plain(code: string): string {
  return code.replace(/[^A-Za-z\d]/g, '').toUpperCase();
}
