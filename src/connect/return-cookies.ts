import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { hashOf } from '../platform/token-hash.ts';

const NAMES = { secure: '__Host-orderbridge-connect', plain: 'orderbridge-connect' } as const;

type Returning = { req: Request; publicUrl: string | null };

/**
 * A browser that goes to a store keeps where it came from itself: the store learns a code alone, which leads back in this browser and no other, and not
 * the link, which is a key. Lax, because the store brings it back.
 */
export function returnCookie({ req, publicUrl }: Returning, kept: { code: string; token: string; minutes: number }): string {
  const isSecure = isEncrypted({ req, publicUrl });
  const name = isSecure ? NAMES.secure : NAMES.plain;
  return `${name}=${kept.code}.${kept.token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${kept.minutes * 60}${isSecure ? '; Secure' : ''}`;
}

/** The token of the link that this browser came from with this code; null: it did not. */
export function returningTo({ req, publicUrl }: Returning, code: string): string | null {
  const name = isEncrypted({ req, publicUrl }) ? NAMES.secure : NAMES.plain;
  const [, kept = '', token = ''] = /^([\w-]{1,100})\.([\w-]{1,100})$/.exec(cookieOf(req, name)) ?? [];
  return token !== '' && timingSafeEqual(hashOf(kept), hashOf(code)) ? token : null;
}

function isEncrypted({ req, publicUrl }: Returning): boolean {
  return req.secure || (publicUrl?.startsWith('https:') === true && req.get('host') === new URL(publicUrl).host);
}

/** A merchant has a few windows. More would make requests longer than servers take. */
const MOST = 8;

/**
 * A browser that goes to a store to approve an app keeps which approval it is, and the link that it came from: an approval comes back in this browser and
 * in no other. It is a random number, signed with nothing; one for each approval, so that two windows do not take each other's. Lax, because the store
 * brings it back. The oldest of many are forgotten.
 */
export function grantCookies(returning: Returning, { state, token, minutes }: { state: string; token: string | null; minutes: number }): string[] {
  const fresh = `${nameOf(returning, state)}=${state}.${token ?? ''}; ${attributes(returning, minutes * 60)}`;
  // Browsers send the oldest first.
  const prefix = nameOf(returning, '');
  const old = pairsOf(returning.req).flatMap((pair) => (pair.startsWith(prefix) ? (/^([\w-]{8})=/.exec(pair.slice(prefix.length))?.[1] ?? []) : []));
  return [fresh, ...old.slice(0, 1 - MOST).map((state) => endedGrantCookie(returning, state))];
}

/** The approval is over: the browser forgets it. */
export function endedGrantCookie(returning: Returning, state: string): string {
  return `${nameOf(returning, state)}=; ${attributes(returning, 0)}`;
}

/** `token`: of the link that this browser came from; null: it came from none. Null: it was not this browser that was sent with this state. */
export function grantReturning(returning: Returning, state: string): { token: string | null } | null {
  if (!/^[\w-]{20,100}$/.test(state)) return null;
  const [, known, token] = /^([\w-]+)\.([\w-]{0,100})$/.exec(cookieOf(returning.req, nameOf(returning, state))) ?? [];
  if (known === undefined || token === undefined || !timingSafeEqual(hashOf(known), hashOf(state))) return null;
  return { token: token === '' ? null : token };
}

const OPENED_MINUTES = 45;

/**
 * A browser that gives a code keeps a random number, for the link that it came by: the code is good there alone, and so is what it opened. Strict, because
 * nobody else sends it there.
 */
export function openedCookie(returning: Returning, { token, kept }: { token: string; kept: string }): string {
  return `${openedName(returning, token)}=${kept}; ${attributes(returning, OPENED_MINUTES * 60).replace('Lax', 'Strict')}`;
}

/** Null: it keeps none for this link. */
export function keptByBrowser(returning: Returning, token: string): string | null {
  const kept = cookieOf(returning.req, openedName(returning, token));
  return /^[\w-]{43}$/.test(kept) ? kept : null;
}

function openedName(returning: Returning, token: string): string {
  return `${isEncrypted(returning) ? '__Host-' : ''}orderbridge-opened-${hashOf(token).toString('hex').slice(0, 12)}`;
}

function pairsOf(req: Request): string[] {
  return (req.get('cookie') ?? '').split(';').map((pair) => pair.trim());
}

/** Of a cookie; '': the browser sent none of this name. */
function cookieOf(req: Request, name: string): string {
  const pair = pairsOf(req).find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? '';
}

function nameOf(returning: Returning, state: string): string {
  return `${isEncrypted(returning) ? '__Host-' : ''}orderbridge-grant-${state.slice(0, 8)}`;
}

function attributes(returning: Returning, seconds: number): string {
  return `Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isEncrypted(returning) ? '; Secure' : ''}`;
}
