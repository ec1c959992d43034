import type { RequestListener } from 'node:http';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';

export type HttpAppOptions = {
  /** In the order in which they are tried; the busiest first. */
  routes: readonly { path: string; router: Router }[];
  /** True once shutting down: clients must not send their next request here. */
  isStopping(): boolean;
  /** Proxies whose X-Forwarded-For is believed; none if absent. */
  trustProxy?: readonly string[];
  onError(error: unknown): void;
};

/** One HTTP application of several routers; an unknown address is 404, an error is 500 without its reason. */
export function createHttpApp({ routes, isStopping, trustProxy = [], onError }: HttpAppOptions): RequestListener {
  const app = express();
  app
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', 'simple')
    .set('trust proxy', [...trustProxy]);
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!isStopping()) return next();
    response.set('Connection', 'close');
    if (!request.path.startsWith('/webhooks')) return next();
    response.set('Retry-After', '5').status(503).json({ code: 'intake.unavailable', detail: 'This process is being stopped. Send it again.' });
  });
  for (const { path, router } of routes) app.use(path, router);
  app.use((_request: Request, response: Response) => response.status(404).json({ code: 'not-found', detail: 'There is nothing at this address.' }));
  // biome-ignore lint/complexity/useMaxParams: Express knows an error handler by its four parameters
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    onError(error);
    if (response.headersSent) next(error);
    else response.status(500).json({ code: 'internal.unexpected', detail: 'Something that should not happen; it is in the log.' });
  });
  return app;
}
