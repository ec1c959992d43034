import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import {
  deletePasskey,
  insertPasskey,
  notePasskeyRefused,
  type PasskeyProof,
  passkeysOf as passkeysInLedger,
  type SpentChallenge,
  type StoredPasskey,
} from '../../bridge/ledger/people/passkey-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { openOrNull, type Sealer } from '../../platform/seal.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { Refusal } from '../refusal.ts';
import type { Person, SignedIn } from './sessions.ts';

/** `url`: where people reach the console; null: it is not known. */
export type PasskeyDeps = { pool: Pool; sealer: Pick<Sealer, 'seal' | 'open'>; url: string | null; now(): Date };

const CHALLENGE_MINUTES = 10;
const CHALLENGE_BYTES = 32;
/** ES256, EdDSA, RS256. Without them the library asks Node for others, which warns that they are experimental. */
const ALGORITHMS = { supportedAlgorithmIDs: [-7, -8, -257] };
const LONGEST_NAME = 60;
const MOST_TRANSPORTS = 10;
/** Where a challenge is sealed until it is answered. */
const OFFERED = { table: 'form', column: 'passkey' };

/** The address for which browsers make passkeys; null: for none, as it is no encrypted one (this machine apart), or an IP address. */
function passkeySite(url: string | null): { origin: string; rpID: string } | null {
  if (url === null) return null;
  const { protocol, hostname, origin } = new URL(url);
  const mayHave = (protocol === 'https:' || hostname === 'localhost') && isIP(hostname.replace(/[[\]]/g, '')) === 0;
  return mayHave ? { origin, rpID: hostname } : null;
}

/** `options`: what the browser at `host` is to ask its authenticators for, as JSON. `kept`: the challenge, sealed, for the form that brings the answer. */
export type PasskeyOffer = { options: string; kept: string; host: string };
/** `bound`: what the challenge is good for alone: a session, or a half-made sign-in. */
type Bound = { person: Person; bound: string };

export async function offerNewPasskey(deps: PasskeyDeps, { person, session }: SignedIn): Promise<PasskeyOffer | null> {
  const site = passkeySite(deps.url);
  if (site === null || !person.hasFactor) return null;
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const challenge = randomBytes(CHALLENGE_BYTES);
  const options = await generateRegistrationOptions({
    ...{ rpName: 'orderbridge', rpID: site.rpID, userName: person.email, userDisplayName: person.name, userID: new TextEncoder().encode(person.id) },
    ...{ ...ALGORITHMS, challenge: new Uint8Array(challenge) },
    excludeCredentials: (await passkeysOf(deps, person)).map(({ id, transports }) => ({ id, transports })),
  });
  return { options: JSON.stringify(options), kept: sealed(deps, { person, bound: session }, challenge), host: site.rpID };
}

/** `isVerified`: the authenticator must know who it is, by a PIN or a finger. Null: they have no passkey, or can use none here. */
export async function askForPasskey(deps: PasskeyDeps, { person, bound, isVerified }: Bound & { isVerified: boolean }): Promise<PasskeyOffer | null> {
  const site = passkeySite(deps.url);
  const known = site === null ? [] : await passkeysOf(deps, person);
  if (site === null || known.length === 0) return null;
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const challenge = randomBytes(CHALLENGE_BYTES);
  const options = await generateAuthenticationOptions({
    ...{ rpID: site.rpID, challenge: new Uint8Array(challenge), userVerification: isVerified ? 'required' : 'preferred' },
    allowCredentials: known.map(({ id, transports }) => ({ id, transports })),
  });
  return { options: JSON.stringify(options), kept: sealed(deps, { person, bound }, challenge), host: site.rpID };
}

function sealed({ sealer, now }: PasskeyDeps, to: Bound, challenge: Buffer): string {
  return sealer.seal(`${now().getTime() + CHALLENGE_MINUTES * 60_000} ${challenge.toString('base64url')}`, placeOf(to));
}

function placeOf({ person: { id, accessVersion }, bound }: Bound) {
  return { ...OFFERED, id: `${id} ${accessVersion} ${bound}` };
}

/** Null: it was given to somebody else, in another session, or before their access was changed. */
function opened({ sealer }: PasskeyDeps, to: Bound, kept: string): (SpentChallenge & { challenge: string }) | null {
  const [until, challenge] = openOrNull(sealer, kept, placeOf(to))?.split(' ') ?? [];
  return challenge === undefined ? null : { challenge, until: new Date(Number(until)), hash: hashOf(`${challenge} ${to.bound}`) };
}

/** What a browser brings back; `answer`: of its authenticator, as JSON. */
export type PasskeyAnswer = { kept: string; answer: string; bound: string; isVerified: boolean };

/** What was signed, before anything of it is used up. Null: it is not right, or its counter is not above the last one, which is noted. */
export async function passkeyProof(deps: PasskeyDeps, person: Person, given: PasskeyAnswer): Promise<PasskeyProof | null> {
  const site = passkeySite(deps.url);
  const asked = opened(deps, { person, bound: given.bound }, given.kept);
  if (site === null || asked === null) return null;
  const known = await passkeysOf(deps, person);
  const made = await rightOrNull(async () => {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const response = JSON.parse(given.answer);
    const passkey = known.find(({ id }) => id === response.id);
    if (passkey === undefined) return null;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...{ response, expectedChallenge: asked.challenge, expectedOrigin: site.origin, expectedRPID: site.rpID, requireUserVerification: given.isVerified },
      // The counter is compared below, and where it is written.
      credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    });
    return verified ? { passkey: passkey.id, was: passkey.counter, counter: authenticationInfo.newCounter } : null;
  });
  if (made === null) return null;
  const { passkey, was, counter } = made;
  if (counter > was || (counter === 0 && was === 0)) return { passkey, counter, hash: asked.hash, until: asked.until };
  await notePasskeyRefused(deps.pool, person, asked);
  return null;
}

/** Whatever is wrong with an answer, the library throws. */
async function rightOrNull<T>(check: () => Promise<T>): Promise<T | null> {
  try {
    return await check();
  } catch {
    return null;
  }
}

/** Of somebody who has a second factor. False: the answer is not right, or was used before. */
export async function addPasskey(
  deps: PasskeyDeps,
  { person, session }: SignedIn,
  { name, kept, answer }: Pick<PasskeyAnswer, 'kept' | 'answer'> & { name: string },
): Promise<boolean> {
  const site = passkeySite(deps.url);
  const asked = opened(deps, { person, bound: session }, kept);
  if (site === null || asked === null) return false;
  const made = await rightOrNull(async () => {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const expected = {
      expectedChallenge: asked.challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpID,
      requireUserVerification: false,
      ...ALGORITHMS,
    };
    const { registrationInfo } = await verifyRegistrationResponse({ response: JSON.parse(answer), ...expected });
    if (registrationInfo === undefined) return null;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return { id, publicKey: Buffer.from(publicKey), counter, transports: transports.slice(0, MOST_TRANSPORTS).map(String) };
  });
  return made !== null && insertPasskey(deps.pool, person, { ...made, name: name.slice(0, LONGEST_NAME), answered: asked });
}

export function passkeysOf({ pool }: Pick<PasskeyDeps, 'pool'>, { id }: Pick<Person, 'id'>): Promise<StoredPasskey[]> {
  return passkeysInLedger(pool, id);
}

export async function removePasskey({ pool }: Pick<PasskeyDeps, 'pool'>, person: Person, passkey: string): Promise<void> {
  if (await deletePasskey(pool, person, passkey)) return;
  throw new Refusal('missing', { en: 'this passkey is not there any more', bg: 'този ключ за достъп вече го няма' });
}
