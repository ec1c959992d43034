import { randomUUID } from 'node:crypto';
import type { Request } from 'express';

/** The id by which a request is found in several logs: as it was given in `X-Request-Id`, or a new one. */
export function requestIdOf({ headers }: Pick<Request, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

/** The address that a request comes from: behind proxies that are trusted (TRUST_PROXY), the one that they name. Null: it is gone already. */
export function clientOf({ ip }: Pick<Request, 'ip'>): string | null {
  return ip?.replace(/^::ffff:(?=[\d.]+$)/, '') ?? null;
}
