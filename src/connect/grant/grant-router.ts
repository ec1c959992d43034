import express, { type Request, type RequestHandler, type Router } from 'express';
import { grantOf } from '../../operations/apps/grantable-apps.ts';
import { networkOf } from '../../platform/http/network-of.ts';
import { clientOf } from '../../platform/http/request-source.ts';
import { TokenBuckets } from '../../platform/token-buckets.ts';
import { html } from '../../web/html.ts';
import { type ConnectOptions, guarded, type Sent, send } from '../answer.ts';
import { connectHeaders } from '../frame/connect-headers.ts';
import { wordsOf } from '../words/words.ts';
import { showCallback } from './callback-page.ts';
import { showInstall } from './install-page.ts';

/** A merchant approves once or twice, and opens the app now and then. */
const AT_ONCE = 20;
const PER_SECOND = 0.5;

/**
 * `GET /{platform}/install` and `GET /{platform}/callback`, for platforms whose merchants approve an app at their store: where it begins without a link,
 * and where the store sends the browser back to.
 */
export function grantRouter(options: ConnectOptions): Router {
  const router = express.Router({ caseSensitive: true });
  const throttle = new TokenBuckets({ burst: AT_ONCE, now: () => performance.now() });
  const answered = (show: (options: ConnectOptions, req: Request) => Promise<Sent>): RequestHandler =>
    guarded(options, installOf, async (req, res) => {
      const wait = throttle.take(networkOf(clientOf(req) ?? ''), PER_SECOND);
      if (wait > 0) res.set('Retry-After', String(Math.ceil(wait / 1000)));
      send(res, wait > 0 ? slowed(req) : await show(options, req));
    });
  for (const [path, show] of [
    [INSTALL, showInstall],
    [CALLBACK, showCallback],
  ] as const)
    router.route(path).all(ofGrants).head(refuse).get(answered(show)).all(refuse);
  return router;
}

/** Whatever is encoded names no platform. */
const INSTALL = /^\/(?<platform>[a-z]+)\/install\/?$/;
const CALLBACK = /^\/(?<platform>[a-z]+)\/callback\/?$/;

/** HEAD, too: who looks at an address before a person opens it must not use up his approval. */
const refuse: RequestHandler = (_req, res) =>
  void res
    .set('Allow', 'GET')
    .writeHead(405, { ...connectHeaders, 'content-length': 0 })
    .end();

/** Other platforms have other routes, or none. */
const ofGrants: RequestHandler = (req, _res, next) => next(grantOf(String(req.params['platform'])) === null ? 'route' : undefined);

function installOf(req: Request): string {
  return `/${String(req.params['platform'])}/install`;
}

function slowed(req: Request): Sent {
  const words = wordsOf(req);
  return { words, status: 429, title: words.steps.title, body: html`<p role="alert">${words.grant.slow}</p>` };
}
