import type { Request } from 'express';

/**
 * False if another site sent the request. Browsers say so in `Sec-Fetch-Site`; older ones in `Origin`, which is "null" for pages like ours that send no
 * referrer. Who says neither is judged by the form's token alone.
 */
export function isSameSite(req: Request, publicUrl: string): boolean {
  const site = req.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = req.get('origin');
  return origin === undefined || origin === 'null' || origin === new URL(publicUrl).origin;
}
