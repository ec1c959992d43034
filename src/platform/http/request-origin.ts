import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';

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

/** The id by which a request is found in several logs: as it was given in `X-Request-Id`, or a new one. */
export function requestIdOf({ headers }: Pick<Request, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

/** The address that a request comes from: behind proxies that are trusted (TRUST_PROXY), the one that they name. Null: it is gone already. */
export function clientOf({ ip }: Pick<Request, 'ip'>): string | null {
  return ip === undefined ? null : plainAddress(ip);
}

/** An IPv4 address that is written as an IPv6 one, in its usual form. */
export function plainAddress(ip: string): string {
  return ip.replace(/^::ffff:(?=[\d.]+$)/, '');
}

const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const OF_PROXIES = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/;

/** Does somebody at this very machine ask, by an address that leads nowhere else, and no proxy for another? A page elsewhere may have its name lead here. */
export function isFromThisMachine({ socket, headers, httpVersion }: Pick<Request, 'socket' | 'headers' | 'httpVersion'>): boolean {
  const isNear = /^(127\.|::1$)/.test(plainAddress(socket.remoteAddress ?? ''));
  // A proxy that says nothing of itself speaks HTTP/1.0, or lets the browser's own address through.
  const sender = URL.parse(headers.origin ?? '');
  const isOwn = httpVersion !== '1.0' && (sender === null || LOCAL_HOST.test(sender.host));
  return isNear && isOwn && LOCAL_HOST.test(headers.host ?? '') && !Object.keys(headers).some((name) => OF_PROXIES.test(name));
}

/** An IPv4 address, or the /64 network of an IPv6 one, of which one client has all addresses. */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '').toLowerCase();
  const [, v4] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(plain) ?? [];
  if (v4 !== undefined) return v4;
  const [head = '', tail] = plain.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(zeros).fill('0'), ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

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
