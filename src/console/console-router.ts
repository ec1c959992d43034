import type { Request, RequestHandler, Response, Router } from 'express';
import express from 'express';
import { ownValue } from '../contract/own-value.ts';
import { may, type Right } from '../operations/people/rights.ts';
import { actorOf, endSession } from '../operations/people/sessions.ts';
import { Refusal } from '../operations/refusal.ts';
import { isHungUp } from '../platform/error-words.ts';
import { isSameOrigin, originOf, type RequestOrigin } from '../platform/http/request-origin.ts';
import { Stale } from '../web/forms.ts';
import { pressedBefore, whenConfirmed } from './asked-again.ts';
import type { ConsoleDeps, ConsoleLog } from './base/console-deps.ts';
import { formOf, readForm } from './base/form.ts';
import { isAway } from './base/is-away.ts';
import type { Entered, Entrant, OpenPage, Page, PageContext, PageReply, ShownPage } from './base/page.ts';
import { pageFrame } from './frame/page-frame.ts';
import { sendAsset, sendFile, sendOn, sendPage } from './frame/send-reply.ts';
import { liveEvents, liveStream } from './live-stream.ts';
import { type Words, wordsIn } from './messages/messages.ts';
import { noteRefused } from './pages/entry/entering.ts';
import { factorReminder } from './pages/entry/factor-views.ts';
import { openPages, pageAt, pages } from './pages.ts';
import { type Before, databasePage, failedPage, forbiddenPage, foreignPage, missingPage, refusedPage, stalePage } from './problem-pages.ts';
import { dropSession, keepHalf, keepPassage, keepSession, whoIs } from './sign-in-cookies.ts';

const REFRESH_SECONDS = 5;

type Options = { deps: ConsoleDeps; log: ConsoleLog };

/** The console, for `/console`: anyone who is not signed in sees the way to do so, and nothing else. */
export function consoleRouter(options: Options): Router {
  const router = express.Router({ caseSensitive: true });
  router.get('/assets/:name', sendAsset);
  router.get('/events', liveEvents(options, pages));
  router.get('/live/stream', liveStream(options));
  openRoutes(router, openPages, {
    ...{ deps: options.deps, readForm, refuseMethod },
    apologize: (req, res, thrown) => failed(options, res, { thrown, words: wordsOf(req), ...originOf(req, res) }),
  });
  for (const page of pages) {
    const route = router.route(page.path);
    if (page.get !== undefined) route.get(answered(options, page, page.get));
    if (page.post !== undefined) route.post(readForm, answered(options, page, acting(page.post)));
    route.all(refuseMethod);
  }
  router.post('/sign-out', signOut(options));
  router.use(missing(options));
  return router;
}

type Answering = (context: PageContext) => Promise<PageReply>;

function acting({ right, act, asksAgain }: NonNullable<Page['post']>): Answering {
  return async (context) => {
    if (!may(context.person.role, right)) return forbidden(context, right);
    return asksAgain !== undefined ? whenConfirmed(context, act, { isByFactor: asksAgain === 'by-factor' }) : act(context, formOf(context.req));
  };
}

/** The way of every request: who is it, may they, did a page of ours send it; then the page, or why there is none. */
function answered({ deps, log }: Options, page: Pick<Page, 'right' | 'post'>, answering: Answering): RequestHandler {
  return async (req, res) => {
    const about = originOf(req, res);
    let context: PageContext | null = null;
    try {
      const signedIn = (await whoIs(deps, req)) ?? (await pressedBefore(deps, req));
      if (signedIn === null) return toSignIn(req, res);
      context = { ...signedIn, req, deps, words: wordsIn(signedIn.person.lang), by: actorOf(signedIn.person) };
      await send(res, context, await replyOf(context, page, answering));
    } catch (thrown) {
      await failed({ deps, log }, res, { thrown, words: context?.words ?? wordsOf(req), ...about });
    }
  };
}

async function failed(options: Options, res: Response, apology: Apology): Promise<void> {
  if (res.headersSent || isHungUp(apology.thrown)) return void res.destroy();
  await apologize(options, res, apology);
}

type Apology = RequestOrigin & { thrown: unknown; words: Words };

/** Without the frame, which needs the database, too. */
async function apologize({ deps, log }: Options, res: Response, { thrown, words, ...about }: Apology): Promise<void> {
  const isDatabaseAway = await isAway(deps.pool);
  if (!isDatabaseAway) log.failed(thrown, { method: res.req.method, ...about });
  const isSent = res.req.method === 'POST';
  const broken = { back: backFrom(res.req), isSent };
  const shown = isDatabaseAway ? databasePage(words, broken) : failedPage(words, { ...broken, requestId: about.requestId });
  // What a form answered is at an address that may have no page.
  const refresh = isSent ? `${REFRESH_SECONDS}; url=${broken.back}` : `${REFRESH_SECONDS}`;
  sendPage(res, shown.status ?? 500, pageFrame({ words, ...shown, person: null, ...(isDatabaseAway ? { refresh } : {}) }));
}

async function replyOf(context: PageContext, { right, post }: Pick<Page, 'right' | 'post'>, answering: Answering): Promise<PageReply> {
  const { req, words, person } = context;
  if (req.method === 'POST' && !isSameOrigin(req)) return foreign(context, person.id);
  if (!may(person.role, right)) return forbidden(context, right);
  try {
    return await answering(context);
  } catch (thrown) {
    if (thrown instanceof Refusal) return refusedPage(words, thrown, beforeOf(req, post));
    if (thrown instanceof Stale) return stalePage(words, thrown, beforeOf(req, post));
    throw thrown;
  }
}

function forbidden(context: PageContext, right: Right): ShownPage {
  noteRefused(context, 'forbidden', context.person.id);
  return forbiddenPage(context.words, right, backFrom(context.req));
}

function foreign(of: Pick<Entrant, 'req' | 'deps' | 'words'>, person: string | null = null): ShownPage {
  noteRefused(of, 'foreign', person);
  return foreignPage(of.words, backFrom(of.req));
}

/** The page that was wanted is come back to. */
function toSignIn(req: Request, res: Response): void {
  const wanted = req.method === 'GET' ? `?to=${encodeURIComponent(req.originalUrl)}` : '';
  sendOn(res, { goTo: `/console/sign-in${wanted}` });
}

async function send(res: Response, context: PageContext, reply: PageReply): Promise<void> {
  if ('goTo' in reply) return sendOn(res, reply);
  if ('content' in reply) return sendFile(res, reply);
  const { words, person, deps, req } = context;
  const done = ownValue(words.done, String(req.query['done'] ?? ''));
  // Who sees some shops alone must not learn of others.
  const health = person.shops === null ? await deps.readHealth() : null;
  const page = pageFrame({
    words,
    person,
    ...reply,
    health,
    notice: done,
    reminder: factorReminder(context),
    at: loadable(req),
    isAnswer: req.method === 'POST',
  });
  sendPage(res, reply.status ?? 200, page);
}

function missing(options: Options): RequestHandler {
  return answered(options, { right: 'orders.see' }, ({ words }) => Promise.resolve(missingPage(words)));
}

function signOut({ deps }: Options): RequestHandler {
  return async (req, res) => {
    const signedIn = isSameOrigin(req) ? await whoIs(deps, req) : null;
    if (signedIn !== null) await endSession(deps, signedIn.session);
    if (signedIn !== null) dropSession(res.setHeader('Clear-Site-Data', '"cache", "storage"'), deps.entry.url);
    sendOn(res, { goTo: '/console/sign-in' });
  };
}

function refuseMethod(req: Request, res: Response): void {
  const words: Words = wordsOf(req);
  const shown: ShownPage = { title: words.frame.problem.method, body: missingPage(words).body };
  sendPage(res, 405, pageFrame({ words, ...shown, person: null }));
}

type Entering = (entrant: Entrant) => Promise<Entered>;
type Wiring = {
  deps: ConsoleDeps;
  readForm: RequestHandler;
  /** Answers what was thrown. */
  apologize(req: Request, res: Response, thrown: unknown): Promise<void>;
  refuseMethod: RequestHandler;
};

/** The pages that need no session. */
function openRoutes(router: Router, pages: readonly OpenPage[], { deps, readForm, apologize, refuseMethod }: Wiring): void {
  const answered =
    (answering: Entering): RequestHandler =>
    async (req, res) => {
      try {
        sendEntered(res, await answer(deps, req, answering), deps);
      } catch (thrown) {
        await apologize(req, res, thrown);
      }
    };
  for (const { path, get, post } of pages) {
    const route = router.route(path);
    route.get(answered(get));
    if (post !== undefined)
      route.post(
        readForm,
        answered((entrant) => post(entrant, formOf(entrant.req))),
      );
    route.all(refuseMethod);
  }
}

async function answer(deps: ConsoleDeps, req: Request, answering: Entering): Promise<Entered> {
  const words = wordsOf(req);
  if (req.method === 'POST' && !isSameOrigin(req)) return foreign({ req, deps, words });
  try {
    return await answering({ req, deps, words, signedIn: await whoIs(deps, req) });
  } catch (thrown) {
    if (thrown instanceof Refusal) return refusedPage(words, thrown, { back: backFrom(req), form: null });
    throw thrown;
  }
}

function sendEntered(res: Response, entered: Entered, { entry }: ConsoleDeps): void {
  const { token, half, passage, ...answer } = entered;
  const publicUrl = entry.url;
  if (passage !== undefined) keepPassage(res, { publicUrl, passage });
  if (half !== undefined) keepHalf(res, { publicUrl, half });
  if (token !== undefined) keepSession(res, { publicUrl, token });
  if ('goTo' in answer) return sendOn(res, answer);
  const { waitMs, ...shown } = answer;
  if (waitMs !== undefined) res.setHeader('Retry-After', String(Math.ceil(waitMs / 1000)));
  sendPage(res, shown.status ?? 200, pageFrame({ words: wordsOf(res.req), ...shown, person: null }));
}

/** The words for somebody who is not signed in: in the language that their browser prefers. */
function wordsOf(req: Request): Words {
  return wordsIn(req.acceptsLanguages('en', 'bg') === 'bg' ? 'bg' : 'en');
}

/** Where the page can be loaded again: what a form answered is shown at an address of its own, which may have no page. */
function loadable({ method, originalUrl }: Pick<Request, 'method' | 'originalUrl'>): string {
  if (method === 'GET' || pageAt(pages, originalUrl) !== null) return originalUrl;
  const parent = originalUrl.replace(/\/[^/]*$/, '');
  return pageAt(pages, parent) === null ? '/console' : parent;
}

/** The page from which a request came, as its browser says; else the one that its address is about. */
function backFrom(req: Request): string {
  const from = URL.parse(req.get('referer') ?? '');
  if (from === null || from.host !== req.get('host') || !/^\/console(?:\/|$)/.test(from.pathname)) return fallback(req);
  from.searchParams.delete('done');
  const address = `${from.pathname}${from.search}`;
  return address === req.originalUrl && req.method === 'GET' ? '/console' : loadable({ method: 'POST', originalUrl: address });
}

/** A page that can't be shown is no way back. */
function fallback(req: Request): string {
  return req.method === 'GET' ? '/console' : loadable(req);
}

/** Of what was sent where secrets are typed, only what has a name for people is kept; see `typedIn`. */
function beforeOf(req: Request, post: Page['post'] | null): Before {
  const back = backFrom(req);
  if (req.method !== 'POST' || post === null || post === undefined) return { back, form: null };
  const body: Record<string, unknown> = typeof req.body === 'object' && req.body !== null ? req.body : {};
  const fields = Object.entries(body).flatMap(([name, value]) => [value].flat().flatMap((one) => (typeof one === 'string' ? [[name, one] as const] : [])));
  return { back, form: { at: req.originalUrl, fields, holdsSecrets: post.holdsSecrets === true } };
}
