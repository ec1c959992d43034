import type { Request } from 'express';
import { isSameOrigin } from '../console/session/same-origin.ts';

/**
 * True if one of our own pages sent the request. They send no referrer, so that browsers without `Sec-Fetch-Site` (older ones, and any over plain http)
 * call their origin "null". Another site can say that, too; but it does not know the link, which is in the address.
 */
export function isOwnForm(req: Request): boolean {
  return isSameOrigin(req) || (req.get('sec-fetch-site') === undefined && req.get('origin') === 'null');
}
