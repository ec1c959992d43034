import type { Request, Response } from 'express';
import { clientOf, requestIdOf } from './request-source.ts';

/** Who sent a request, and the id by which its lines in the log are found. */
export type RequestOrigin = { client: string | null; requestId: string };

const HEADER = 'X-Request-Id';

/** The same for each call of one exchange; the answer carries the id, too. */
export function originOf(request: Request, response: Response): RequestOrigin {
  const known = response.getHeader(HEADER);
  const requestId = typeof known === 'string' ? known : requestIdOf(request);
  if (!response.headersSent) response.setHeader(HEADER, requestId);
  return { client: clientOf(request), requestId };
}
