import type { Request } from 'express';

/**
 * True if one of our own pages sent the request. Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`; who says neither is no browser, and has no
 * business here.
 */
export function isSameOrigin(req: Request): boolean {
  const site = req.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = req.get('origin');
  return origin !== undefined && URL.parse(origin)?.host === req.get('host');
}
