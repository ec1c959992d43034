import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { hashOf } from '../platform/token-hash.ts';
import { isEncrypted } from './return-cookie.ts';

/** A merchant has a few windows. More would make requests longer than servers take. */
const MOST = 8;

type Returning = { req: Request; publicUrl: string | null };

/**
 * A browser that goes to a store to approve an app keeps which approval it is, and the link that it came from: an approval comes back in this browser and
 * in no other. It is a random number, signed with nothing; one for each approval, so that two windows do not take each other's. Lax, because the store
 * brings it back. The oldest of many are forgotten.
 */
export function grantCookies(returning: Returning, { state, token, minutes }: { state: string; token: string | null; minutes: number }): string[] {
  const fresh = `${nameOf(returning, state)}=${state}.${token ?? ''}; ${attributes(returning, minutes * 60)}`;
  // Browsers send the oldest first.
  const prefix = nameOf(returning, '');
  const old = pairsOf(returning).flatMap((pair) => (pair.startsWith(prefix) ? (/^([\w-]{8})=/.exec(pair.slice(prefix.length))?.[1] ?? []) : []));
  return [fresh, ...old.slice(0, 1 - MOST).map((state) => endedGrantCookie(returning, state))];
}

/** The approval is over: the browser forgets it. */
export function endedGrantCookie(returning: Returning, state: string): string {
  return `${nameOf(returning, state)}=; ${attributes(returning, 0)}`;
}

/** `token`: of the link that this browser came from; null: it came from none. Null: it was not this browser that was sent with this state. */
export function grantReturning(returning: Returning, state: string): { token: string | null } | null {
  if (!/^[\w-]{20,100}$/.test(state)) return null;
  const name = nameOf(returning, state);
  const kept =
    pairsOf(returning)
      .find((pair) => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1) ?? '';
  const [, known, token] = /^([\w-]+)\.([\w-]{0,100})$/.exec(kept) ?? [];
  if (known === undefined || token === undefined || !timingSafeEqual(hashOf(known), hashOf(state))) return null;
  return { token: token === '' ? null : token };
}

function pairsOf({ req }: Returning): string[] {
  return (req.get('cookie') ?? '').split(';').map((pair) => pair.trim());
}

function nameOf(returning: Returning, state: string): string {
  return `${isEncrypted(returning) ? '__Host-' : ''}orderbridge-grant-${state.slice(0, 8)}`;
}

function attributes(returning: Returning, seconds: number): string {
  return `Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isEncrypted(returning) ? '; Secure' : ''}`;
}
