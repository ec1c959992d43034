import { personOfSubject, recognise } from '../../bridge/ledger/person-by-subject.ts';
import { endSessions } from '../../bridge/ledger/session-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { PROGRAM } from '../../platform/trail/trail.ts';
import { addressOf, type Claims, nameOf, type RoleRules, roleOf } from './claims.ts';
import { type Browser, openSession } from './sessions.ts';

/** no-role: the claim gives none. taken: somebody who comes in another way has the address. */
export type NotEntered = { why: 'no-role' | 'disabled' | 'taken' };

type Given = Browser & { identity: { issuer: string; subject: string; claims: Claims }; rules: RoleRules; lang: 'en' | 'bg' };

/** Signs in somebody whom the identity provider has recognised, with the role that it gives him. Whoever has none any more is signed out everywhere. */
export async function signInByOidc({ pool }: { pool: Pool }, { identity, rules, lang, ...browser }: Given): Promise<{ token: string } | NotEntered> {
  const { claims, issuer, subject } = identity;
  const role = roleOf(claims, rules);
  if (role === null) {
    const known = await personOfSubject(pool, identity);
    if (known !== null) await endSessions(pool, { person: known.id }, { by: PROGRAM });
    return { why: 'no-role' };
  }
  const found = await recognise(pool, { issuer, subject, email: addressOf(claims, identity), name: nameOf(claims), role, lang });
  return 'why' in found ? found : ((await openSession({ pool }, { person: found.person, way: 'oidc', ...browser })) ?? { why: 'disabled' });
}
