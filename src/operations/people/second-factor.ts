import {
  beginFactorDays,
  confirmByFactor,
  endFactor,
  type FactorProof,
  factorOf,
  keepFactor,
  SEALED_FACTORS,
  useHalfSignIn,
  writeCodes,
  writeFactor,
} from '../../bridge/ledger/people/factor-store.ts';
import { halfSignIn, insertHalfSignIn, useLink } from '../../bridge/ledger/people/link-store.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import { openOrNull } from '../../platform/seal.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { newTotpSecret, totpAddress, totpStep } from '../../platform/totp.ts';
import { newTypedCode, plainCode, shownCode } from '../../platform/typed-code.ts';
import { Refusal } from '../refusal.ts';
import { type PasskeyAnswer, type PasskeyDeps, passkeyProof } from './passkeys.ts';
import { actorOf, type Browser, newToken, openSession, type Person, type Proving, type SignedIn } from './sessions.ts';

/** `isFactorRequired`: owners and operators need one. */
export type FactorDeps = PasskeyDeps & { isFactorRequired: boolean };

/** What somebody gives as their second factor: what they typed, or what their passkey signed. */
export type GivenFactor = string | PasskeyAnswer;

/** Signed in; or `half`: only a second factor is missing, by a token for this browser alone. */
export type Opened = { token: string } | { half: string };

/** Days in which somebody sets up a second factor. */
const DAYS = 14;
const HALF_MINUTES = 10;
const RECOVERY_CODES = 10;
/** 117 bits: their hashes need no salt. */
const RECOVERY_LENGTH = 24;

/** Anyone whom an identity provider vouches for has their second factor there. */
export function needsFactor({ role, issuer, hasFactor }: Person, { isFactorRequired }: Pick<FactorDeps, 'isFactorRequired'>): boolean {
  return isFactorRequired && issuer === null && !hasFactor && (role === 'owner' || role === 'operator');
}

function isDue({ factorDueAt }: Person, now: Date): boolean {
  return factorDueAt !== null && new Date(factorDueAt) <= now;
}

/** Whose password or link was right: they are signed in, or a second factor is missing. Null: what was checked of them no longer holds. */
export async function enter(deps: FactorDeps, { person, way, ...browser }: Browser & { person: Person; way: 'password' | 'link' }): Promise<Opened | null> {
  const { pool } = deps;
  const isMissing = needsFactor(person, deps);
  if (person.hasFactor || (isMissing && isDue(person, deps.now()))) {
    const half = newToken();
    return (await insertHalfSignIn(pool, { token: hashOf(half), person, way, minutes: HALF_MINUTES })) ? { half } : null;
  }
  if (isMissing) await beginFactorDays(pool, person.id, DAYS);
  return openSession({ pool }, { person, way, ...browser });
}

export type HalfSignIn = Person & { way: string };

/** Whose sign-in lacks a second factor alone; null: nobody's, or no longer. */
export function halfSignedIn({ pool }: Pick<FactorDeps, 'pool'>, half: string): Promise<HalfSignIn | null> {
  return halfSignIn(pool, hashOf(half));
}

type HalfGiven = Browser & { half: string; person: HalfSignIn };

/** By a code of their app, a recovery code, or a passkey. Null: it is not right, was used before, or the sign-in has ended meanwhile. */
export async function signInByFactor(
  deps: FactorDeps,
  { half, person, given, ...browser }: HalfGiven & { given: GivenFactor },
): Promise<{ token: string } | null> {
  const proof = await proofOf(deps, person, given);
  if (proof === null) return null;
  const token = hashOf(half);
  return openSession(deps, { person, way: person.way, ...browser, prove: (tx) => useHalfSignIn(tx, person, { token, proof }) });
}

/** False: it is not right, was used before, or the session has ended. */
export async function confirmWithFactor(deps: FactorDeps, { person, session, token }: Proving, given: GivenFactor): Promise<boolean> {
  const proof = await proofOf(deps, person, given);
  return proof !== null && confirmByFactor(deps.pool, { session, person, token: hashOf(token), proof });
}

async function proofOf(deps: FactorDeps, person: Person, given: GivenFactor): Promise<FactorProof | null> {
  if (typeof given !== 'string') return passkeyProof(deps, person, given);
  const { pool, sealer, now } = deps;
  const { id } = person;
  const known = await factorOf(pool, id);
  if (known === null || known.factor === null) return null;
  const plain = plainCode(given);
  if (plain.length === RECOVERY_LENGTH) return { recoveryCode: hashOf(plain) };
  const secret = openOrNull(sealer, known.factor, { ...SEALED_FACTORS, id });
  const step = secret === null ? null : totpStep(secret, { code: plain, at: now() });
  return step === null || step <= known.step ? null : { step };
}

/** A secret that nothing has yet. `kept`: sealed, for the form that brings it back with its first code. `address`: for a QR code. */
export type OfferedFactor = { secret: string; address: string; kept: string };

/** Where an offered secret is sealed. */
const OFFERED = { table: 'form', column: 'factor' };

export function offerFactor({ sealer }: Pick<FactorDeps, 'sealer'>, person: Person, secret = newTotpSecret()): OfferedFactor {
  const address = totpAddress({ secret, issuer: 'orderbridge', label: person.email });
  return { secret, address, kept: sealer.seal(secret, { ...OFFERED, id: offeredTo(person) }) };
}

/** The one that a form brings back; null: it is of somebody else, or their access was changed meanwhile. */
export function offeredFactor(deps: Pick<FactorDeps, 'sealer'>, person: Person, kept: string): OfferedFactor | null {
  const secret = openOrNull(deps.sealer, kept, { ...OFFERED, id: offeredTo(person) });
  return secret === null ? null : offerFactor(deps, person, secret);
}

function offeredTo({ id, accessVersion }: Person): string {
  return `${id} ${accessVersion}`;
}

type Enrolling = { secret: string; code: string };

function newFactor({ sealer, now }: FactorDeps, { id }: Pick<Person, 'id'>, { secret, code }: Enrolling) {
  const step = totpStep(secret, { code: plainCode(code), at: now() });
  const codes = newCodes();
  return step === null ? null : { factor: sealer.seal(secret, { ...SEALED_FACTORS, id }), step, ...codes };
}

function newCodes(): { shown: string[]; codes: Buffer[] } {
  const plain = Array.from({ length: RECOVERY_CODES }, () => newTypedCode(RECOVERY_LENGTH));
  return { shown: plain.map(shownCode), codes: plain.map(hashOf) };
}

/** Keeps it once a first code is right, and gives the recovery codes, which are shown once. Null: the code is not right. */
export async function enrolFactor(deps: FactorDeps, { person, session }: SignedIn, given: Enrolling): Promise<string[] | null> {
  const made = newFactor(deps, person, given);
  return made !== null && (await keepFactor(deps.pool, person, { ...made, session })) ? made.shown : null;
}

/** The same where a sign-in goes on only with one. */
export async function signInByNewFactor(
  deps: FactorDeps,
  { half, person, secret, code, ...browser }: HalfGiven & Enrolling,
): Promise<{ token: string; codes: string[] } | null> {
  const made = newFactor(deps, person, { secret, code });
  if (made === null || person.hasFactor) return null;
  const prove: Parameters<typeof openSession>[1]['prove'] = async (tx) => (await writeFactor(tx, person, made)) && (await useLink(tx, hashOf(half), 'factor'));
  const opened = await openSession(deps, { person, way: person.way, ...browser, prove });
  return opened === null ? null : { ...opened, codes: made.shown };
}

/** How many recovery codes are left. */
export async function codesLeft({ pool }: Pick<FactorDeps, 'pool'>, { id }: Pick<Person, 'id'>): Promise<number> {
  return (await factorOf(pool, id))?.codes ?? 0;
}

export async function newRecoveryCodes({ pool }: Pick<FactorDeps, 'pool'>, person: Person): Promise<string[]> {
  const { shown, codes } = newCodes();
  if (await writeCodes(pool, person, codes)) return shown;
  if (!person.hasFactor) throw withoutFactor();
  throw new Refusal('conflict', {
    en: 'your second step was changed meanwhile, or other codes were made',
    bg: 'междувременно втората стъпка беше променена или бяха създадени други кодове',
  });
}

export async function endOwnFactor(deps: Pick<FactorDeps, 'pool' | 'isFactorRequired'>, person: Person): Promise<void> {
  if (needsFactor({ ...person, hasFactor: false }, deps))
    throw new Refusal('conflict', {
      en: 'your role needs a second step; set it up anew instead, and the one of before ends',
      bg: 'за вашата роля втората стъпка е задължителна; можете да я настроите наново и предишната спира да важи',
    });
  if (!(await endFactor(deps.pool, person, { by: actorOf(person), isReset: false }))) throw withoutFactor();
}

/** Who lost phone and codes signs in without them, and sets up others. */
export async function resetFactor({ pool }: Pick<FactorDeps, 'pool'>, person: Pick<Person, 'id'>, { by }: { by: Actor }): Promise<void> {
  if (!(await endFactor(pool, person, { by, isReset: true }))) throw withoutFactor();
}

function withoutFactor(): Refusal {
  return new Refusal('conflict', { en: 'this person has no second step', bg: 'този човек няма втора стъпка при входа' });
}
