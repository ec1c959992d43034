import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { isHungUp } from '../../platform/error-words.ts';
import { originOf } from '../../platform/http/request-origin.ts';
import { TokenBuckets } from '../../platform/rate-limit.ts';
import type { AuditDeps } from '../audit/month/generate-month.ts';
import type { MonthActs } from '../audit/month/month-acts.ts';
import type { LinkDeps } from '../links/month-link.ts';
import { pageAnswered, pageFailed } from '../service-events.ts';
import type { ServiceLog } from '../service-log.ts';
import { enter, UNKNOWN_AT_ONCE, unknownLink, type Visitor, wordsOf } from './enter.ts';
import { type PortalReply, plainPage, sendReply } from './page-document.ts';
import { actReply, codeReply, fileReply, linkReply, listReply, monthReply, type PortalDeps, renewReply } from './page-replies.ts';
import { mailsReply, sayReply, unconfirmedReply } from './recipient-pages.ts';

type Answering = (visitor: Visitor) => Promise<PortalReply>;

const MADE_AT_ONCE = 5;
const ADDRESS = /^[\w\-./]*$/;

/**
 * The pages behind the links in mails, for /months. GET changes nothing: mail scanners follow links. The address is the capability, so it is in no log
 * and no answer to others.
 */
export function portalRouter({ audit, months, links, log }: { audit: AuditDeps; months: MonthActs; links: LinkDeps; log: ServiceLog }): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const ms = () => performance.now();
  const unknown = new TokenBuckets({ burst: UNKNOWN_AT_ONCE, now: ms });
  const deps: PortalDeps = { audit, months, links, made: new TokenBuckets({ burst: MADE_AT_ONCE, now: ms }) };
  const page = (
    answering: Answering,
    instead: (visitor: Visitor) => Promise<PortalReply | null> = (visitor) => unconfirmedReply(deps, visitor),
  ): RequestHandler =>
    answered(log, async (req) => {
      const visitor = await enter({ links, unknown }, req);
      return 'link' in visitor ? ((await instead(visitor)) ?? answering(visitor)) : visitor;
    });
  const get = (path: string, answering: Answering) => router.route(path).get(page(answering)).all(refused(log));
  const post = (path: string, answering: Answering) => router.route(path).post(form, page(answering)).all(refused(log));
  // Broken percent signs would otherwise be answered by Express, with the address in its error.
  router.use((req, res, next) => (ADDRESS.test(req.path) ? next() : nowhere(log)(req, res, next)));
  const mails = (answering: Answering) => page(answering, async () => null);
  router
    .route('/:token/mails')
    .get(mails((visitor) => mailsReply(deps, visitor)))
    .post(
      form,
      mails((visitor) => sayReply(deps, visitor)),
    )
    .all(refused(log));
  get('/:token', (visitor) => linkReply(deps, visitor));
  get('/:token/all', (visitor) => listReply(deps, visitor));
  post('/:token/renew', (visitor) => renewReply(deps, visitor));
  post('/:token/code', (visitor) => codeReply(deps, visitor));
  get('/:token/:shop/:month', (visitor) => monthReply(deps, visitor));
  post('/:token/:shop/:month/:act', (visitor) => actReply(deps, visitor));
  get('/:token/:shop/:month/files/:file', (visitor) => fileReply(deps, visitor));
  router.use(nowhere(log));
  return router;
}

const FORM_BYTES = 64 * 1024;
const urlencoded = express.urlencoded({ extended: false, limit: FORM_BYTES, inflate: false, parameterLimit: 20 });

/** What can't be read is a form without fields, which is refused as one of another site is. */
const form: RequestHandler = (req, res, next) => urlencoded(req, res, () => next());

function answered(log: ServiceLog, answering: (req: Request) => Promise<PortalReply>): RequestHandler {
  return async (req: Request, res: Response) => {
    const about = { method: req.method, ...originOf(req, res) };
    const began = performance.now();
    res.once('close', () => pageAnswered(log, { ...about, status: res.headersSent ? res.statusCode : null, ms: Math.round(performance.now() - began) }));
    try {
      await sendReply(res, await answering(req));
    } catch (thrown) {
      if (isHungUp(thrown)) return;
      pageFailed(log, thrown, about);
      const words = wordsOf(req);
      if (!res.headersSent) await sendReply(res, { status: 500, page: plainPage(words, words.pages.failed) });
    }
  };
}

function nowhere(log: ServiceLog): RequestHandler {
  return answered(log, (req) => Promise.resolve(unknownLink(wordsOf(req))));
}

function refused(log: ServiceLog): RequestHandler {
  return answered(log, (req) => {
    const words = wordsOf(req);
    return Promise.resolve({ status: 405, page: plainPage(words, words.pages.method) });
  });
}
