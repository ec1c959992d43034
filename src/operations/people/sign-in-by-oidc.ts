import { personOfSubject, recognise } from '../../bridge/ledger/person-by-subject.ts';
import { endSessions } from '../../bridge/ledger/session-store.ts';
import { emailAddress } from '../../contract/email-address.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { PROGRAM } from '../../platform/trail/trail.ts';
import { PERSON_ROLES, type PersonRole } from './rights.ts';
import { type Browser, openSession } from './sessions.ts';

/** no-role: the claim gives none. taken: somebody who comes in another way has the address. */
export type NotEntered = { why: 'no-role' | 'disabled' | 'taken' };

type OidcSignIn = Browser & { identity: { issuer: string; subject: string; claims: Claims }; rules: RoleRules; lang: 'en' | 'bg' };

/** Signs in somebody whom the identity provider has recognised, with the role that it gives them. Whoever has none any more is signed out everywhere. */
export async function signInByOidc({ pool }: { pool: Pool }, { identity, rules, lang, ...browser }: OidcSignIn): Promise<{ token: string } | NotEntered> {
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
  const found = Object.hasOwn(claims, name) ? claims[name] : name.split('.').reduce<unknown>(withTimeout, claims);
  return [found].flat();
}

function withTimeout(value: unknown, name: string): unknown {
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
  return typeof name === 'string' ? name.trim().slice(0, LONGEST_NAME) : '';
}
