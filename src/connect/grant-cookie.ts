import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { hashOf } from '../platform/token-hash.ts';
import { isEncrypted } from './return-cookie.ts';

type Returning = { req: Request; publicUrl: string | null };

/**
 * A browser that goes to a store to approve an app keeps which approval it is, and the link that it came from: an approval comes back in this browser and
 * in no other. It is a random number, signed with nothing; one for each approval, so that two windows do not take each other's. Lax, because the store
 * brings it back.
 */
export function grantCookie({ req, publicUrl }: Returning, { state, token, minutes }: { state: string; token: string | null; minutes: number }): string {
  return `${nameOf({ req, publicUrl }, state)}=${state}.${token ?? ''}; ${attributes({ req, publicUrl }, minutes * 60)}`;
}

/** The approval is over: the browser forgets it. */
export function endedGrantCookie(returning: Returning, state: string): string {
  return `${nameOf(returning, state)}=; ${attributes(returning, 0)}`;
}

/** `token`: of the link that this browser came from; null: it came from none. Null: it was not this browser that was sent with this state. */
export function grantReturning(returning: Returning, state: string): { token: string | null } | null {
  if (!/^[\w-]{20,100}$/.test(state)) return null;
  const name = nameOf(returning, state);
  const pairs = (returning.req.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const kept = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  const [, known, token] = /^([\w-]+)\.([\w-]{0,100})$/.exec(kept) ?? [];
  if (known === undefined || token === undefined || !timingSafeEqual(hashOf(known), hashOf(state))) return null;
  return { token: token === '' ? null : token };
}

function nameOf(returning: Returning, state: string): string {
  return `${isEncrypted(returning) ? '__Host-' : ''}orderbridge-grant-${state.slice(0, 8)}`;
}

function attributes(returning: Returning, seconds: number): string {
  return `Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isEncrypted(returning) ? '; Secure' : ''}`;
}
