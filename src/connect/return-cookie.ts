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
  const pairs = (req.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  const [, kept = '', token = ''] = /^([\w-]{1,100})\.([\w-]{1,100})$/.exec(value) ?? [];
  return token !== '' && timingSafeEqual(hashOf(kept), hashOf(code)) ? token : null;
}

export function isEncrypted({ req, publicUrl }: Returning): boolean {
  return req.secure || (publicUrl?.startsWith('https:') === true && req.get('host') === new URL(publicUrl).host);
}
