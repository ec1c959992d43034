import type { RequestListener, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import express from 'express';
import { isPublicAddress } from './public-only.ts';
import { networkOf, originOf, plainAddress, type RequestOrigin } from './request-origin.ts';

/** How long a client may take for its head and for a whole request; checked often enough that this is true. */
export const serverTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
} as const satisfies ServerOptions;

export type ConnectionLimits = {
  /** Connections in all. */
  most: number;
  /** Of these, from one public address, or one /64 network of IPv6. Private ones are those of proxies, behind which anybody may be. */
  mostOfOne: number;
};

const LIMITS: ConnectionLimits = { most: 1_000, mostOfOne: 200 };

/**
 * Bounds the connections of a server. Once three quarters are taken, those that wait between two requests are closed for new ones; a proxy opens
 * them again. Beyond the limit new ones are refused.
 */
export function limitConnections(server: Server, { most, mostOfOne }: ConnectionLimits = LIMITS): void {
  const open = new Map<string, number>();
  let count = 0;
  server.maxConnections = most;
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const network = networkOf(address);
    const ofOne = (open.get(network) ?? 0) + 1;
    count += 1;
    open.set(network, ofOne);
    socket.once('close', () => {
      count -= 1;
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
    if (ofOne > mostOfOne && isPublicAddress(address)) socket.destroy();
    else if (count > (most * 3) / 4) server.closeIdleConnections();
  });
}

type FailedRequest = RequestOrigin & { method: string };

export type HttpAppOptions = {
  /** In the order in which they are tried; the busiest first. Their paths are case-sensitive; a router decides for itself about its own. */
  routes: readonly { path: string; router: RequestHandler }[];
  /** Proxies whose X-Forwarded-For is believed: addresses, networks, or names of ranges. Throws if one is none. */
  trustProxy?: readonly string[];
  /** A public address of it is https: browsers call that host by https only, for a year. */
  isHttps?: boolean;
  /** True once shutting down: what comes is answered, but clients must not send their next request here. */
  isStopping(): boolean;
  onError(error: unknown, request: FailedRequest): void;
};

/** Of every answer that has no policy of its own: it is kept nowhere, runs and loads nothing, is in no frame, and its address goes nowhere. */
const ALWAYS = new Map([
  ['X-Content-Type-Options', 'nosniff'],
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
]);

/** RFC 9457. */
const NOTHING_HERE = { type: 'about:blank', title: 'Not Found', status: 404, code: 'not-found', detail: 'There is nothing at this address.' };

/** One HTTP application of several routers; an unknown address is 404, an error is 500 without its reason. */
export function createHttpApp({ routes, trustProxy = [], isHttps = false, isStopping, onError }: HttpAppOptions): RequestListener {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple').enable('case sensitive routing').enable('strict routing');
  if (trustProxy.length > 0) app.set('trust proxy', [...trustProxy]);
  app.use((_request: Request, response: Response, next: NextFunction) => {
    response.setHeaders(ALWAYS);
    if (isHttps) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    if (isStopping()) response.setHeader('Connection', 'close');
    next();
  });
  for (const { path, router } of routes) app.use(path, router);
  app.use((_request: Request, response: Response) => response.status(404).type('application/problem+json').json(NOTHING_HERE));
  // biome-ignore lint/complexity/useMaxParams: Express knows an error handler by its four parameters
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    onError(error, { ...originOf(request, response), method: request.method });
    if (response.headersSent) next(error);
    else response.status(500).json({ code: 'internal.unexpected', detail: 'Something that should not happen; it is in the log.' });
  });
  return app;
}
