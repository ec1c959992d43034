import type { RequestListener } from 'node:http';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { originOf, type RequestOrigin } from './request-origin.ts';

/** A request that failed. */
export type FailedRequest = RequestOrigin & { method: string };

export type HttpAppOptions = {
  /** In the order in which they are tried; the busiest first. Their paths are case-sensitive; a router decides for itself about its own. */
  routes: readonly { path: string; router: Router }[];
  /** Proxies whose X-Forwarded-For is believed: addresses, networks, or names of ranges. Throws if one is none. */
  trustProxy?: readonly string[];
  /** True once shutting down: clients must not send their next request here. */
  isStopping(): boolean;
  onError(error: unknown, request: FailedRequest): void;
};

/** RFC 9457. */
const NOTHING_HERE = { type: 'about:blank', title: 'Not Found', status: 404, code: 'not-found', detail: 'There is nothing at this address.' };

/** One HTTP application of several routers; an unknown address is 404, an error is 500 without its reason. */
export function createHttpApp({ routes, trustProxy = [], isStopping, onError }: HttpAppOptions): RequestListener {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple').enable('case sensitive routing').enable('strict routing');
  if (trustProxy.length > 0) app.set('trust proxy', [...trustProxy]);
  app.use((request: Request, response: Response, next: NextFunction) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (!isStopping()) return next();
    response.set('Connection', 'close');
    // The webhooks' own router takes any case.
    if (!/^\/webhooks/i.test(request.path)) return next();
    response.set('Retry-After', '5').status(503).json({ code: 'intake.unavailable', detail: 'This process is being stopped. Send it again.' });
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
