import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { takeHandedOver } from '../operations/onboarding/hand-over-keys.ts';
import { networkOf } from '../platform/http/network-of.ts';
import { clientOf } from '../platform/http/request-source.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { html } from '../web/html.ts';
import type { ConnectDeps } from './base/connect-deps.ts';
import { connectFrame } from './frame/connect-frame.ts';
import { connectHeaders } from './frame/connect-headers.ts';
import { returningTo } from './return-cookie.ts';
import { wordsOf } from './words/words.ts';

const LARGEST = 4 * 1024;
/** A merchant approves once or twice. */
const AT_ONCE = 20;
const PER_SECOND = 0.5;

const readJson = express.json({ limit: LARGEST, inflate: false, strict: true });

type Outside = { deps: ConnectDeps; failed(req: Request, res: Response, thrown: unknown): void };

/** What others than the merchant's own pages send here: stores their keys, and browsers that come back from a store. */
export function outsideRoutes(router: Router, { deps, failed }: Outside): void {
  const throttle = new TokenBuckets({ burst: AT_ONCE, now: () => performance.now() });
  router
    .route('/callback/:platform')
    .post(throttled(throttle), readBody, (req, res) => {
      taken(deps, req)
        .then((isTaken) => plain(res, isTaken ? 200 : 404))
        .catch((thrown: unknown) => {
          failed(req, res, thrown);
          plain(res, 503);
        });
    })
    .all((_req, res) => plain(res, 405));
  router.get('/back/:code', (req, res) => sendBack(deps, req, res));
}

function taken(deps: ConnectDeps, req: Request): Promise<boolean> {
  return takeHandedOver(deps, String(req.params['platform']), req.body);
}

/** Who guesses is slowed down; whoever he is, he learns nothing by it. */
function throttled(throttle: TokenBuckets): RequestHandler {
  return (req, res, next) => {
    const wait = throttle.take(networkOf(clientOf(req) ?? ''), PER_SECOND);
    if (wait > 0) return plain(res.set('Retry-After', String(Math.ceil(wait / 1000))), 429);
    next();
  };
}

const readBody: RequestHandler = (req, res, next) => {
  readJson(req, res, (problem?: unknown) => (problem === undefined ? next() : plain(res, 400)));
};

/** Without a word about why: stores show none, and others have no business here. */
function plain(res: Response, status: number): void {
  res.writeHead(status, { ...connectHeaders, 'content-type': 'text/plain', 'content-length': 0, connection: 'close' }).end();
}

/** Leads to our own page alone, and what the store says of its success is taken over as a word. */
function sendBack({ config }: ConnectDeps, req: Request, res: Response): void {
  const token = returningTo({ req, publicUrl: config.publicUrl }, String(req.params['code']));
  if (token === null) {
    const words = wordsOf(req);
    const { elsewhere: title, elsewhereBody } = words.store.back;
    const page = connectFrame({ words, title, body: html`<p>${elsewhereBody}</p>`, way: null });
    res.writeHead(404, { ...connectHeaders, 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(page) }).end(page);
    return;
  }
  const success = req.query['success'] === '0' ? '0' : '1';
  res.writeHead(303, { ...connectHeaders, location: `/connect/${token}/store/back?success=${success}`, 'content-length': 0 }).end();
}
