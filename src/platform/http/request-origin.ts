import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';

/** Who sent a request, and the id by which its lines in the log are found. */
export type RequestOrigin = {
  /** The client's address: behind a trusted proxy the one that it forwarded; null: the client is gone. */
  client: string | null;
  /** The client's own `X-Request-Id`, else one that is made; the answer carries it, too. */
  requestId: string;
};

const HEADER = 'X-Request-Id';
const WELL_FORMED = /^[\w.-]{1,128}$/;

/** The same for each call of one exchange. */
export function originOf(request: Request, response: Response): RequestOrigin {
  return { client: request.ip ?? null, requestId: requestIdOf(request, response) };
}

function requestIdOf(request: Request, response: Response): string {
  const known = response.getHeader(HEADER);
  if (typeof known === 'string') return known;
  const given = request.get(HEADER);
  const id = given !== undefined && WELL_FORMED.test(given) ? given : randomUUID();
  if (!response.headersSent) response.setHeader(HEADER, id);
  return id;
}
