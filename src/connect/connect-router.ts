import type { ErrorRequestHandler, Request, RequestHandler, Response, Router } from 'express';
import express from 'express';
import { formOf, readForm } from '../console/base/form.ts';
import type { Download } from '../console/base/page.ts';
import { sendAsset, sendFile } from '../console/frame/send-reply.ts';
import { foreignPage, missingPage, refusedPage, stalePage } from '../console/problem-pages.ts';
import { isOpened } from '../operations/onboarding/codes.ts';
import { ChangedMeanwhile, firstOpen, isReachable, type Onboarding, openLink, saveNewest } from '../operations/onboarding/onboarding.ts';
import { takeHandedOver } from '../operations/onboarding/store-keys.ts';
import { Refusal } from '../operations/refusal.ts';
import { clientOf, isSameOrigin, networkOf, originOf } from '../platform/http/request-origin.ts';
import { TokenBuckets } from '../platform/rate-limit.ts';
import { Stale } from '../web/forms.ts';
import { html } from '../web/html.ts';
import { type ConnectAnswer, type ConnectOptions, gonePage, guarded, type Handling, linkNeededPage, noteRefused, send } from './answer.ts';
import type { ConnectContext, ConnectPage, ConnectPageDeps, ConnectReply } from './base/connect-page.ts';
import { connectHeaders } from './frame.ts';
import { grantRouter } from './grant.ts';
import { problemWords, type Words, wordsIn, wordsOf } from './messages/messages.ts';
import { codePage, mailboxPage } from './pages/code.ts';
import { companyPage } from './pages/company.ts';
import { confirmPage } from './pages/confirm.ts';
import { filesPage } from './pages/files.ts';
import { mappingPage } from './pages/mapping.ts';
import { ordersPage } from './pages/orders.ts';
import { disconnectPage, keepPage, notesPage, statusPage, unlinkPage } from './pages/status.ts';
import { backPage, foundPage, goPage, keysPage } from './pages/store/keys-page.ts';
import { storePage } from './pages/store/store-page.ts';
import { trialPage } from './pages/trial.ts';
import { webhooksPage } from './pages/webhooks.ts';
import { keptByBrowser, returningTo } from './return-cookies.ts';

/** The merchants' pages, for `/connect`: who has a link sees what it opens, and nothing else. */
function connectRouter(options: ConnectOptions): Router {
  const router = express.Router({ caseSensitive: true });
  router.get('/assets/:name', sendAsset);
  outsideRoutes(router, { deps: options.deps, failed: (req, res, thrown) => options.log.failed(thrown, { method: req.method, ...originOf(req, res) }) });
  const handled = (handling: Handling) => guarded(options, backOf, handling);
  const linked = (answering: Answering) => handled(withLink(options, answering));
  router.all(
    '/',
    handled(async (req, res) => send(res, problem(wordsOf(req), linkNeededPage(wordsOf(req), options.deps.config.mail)))),
  );
  router.get(
    '/:token',
    linked(async (context) => ({ goTo: startOf(context) })),
  );
  router.post('/:token/language', readForm, linked(chooseLanguage));
  for (const page of pages) {
    const route = router.route(`/:token${page.path}`);
    const { get, post } = page;
    if (get !== undefined) route.get(linked(on(page, get)));
    if (post !== undefined) route.post(readForm, linked(on(page, (context) => post(context, formOf(context.req)))));
  }
  router.use(handled(async (req, res) => send(res, problem(wordsOf(req), missingPage(problemWords(wordsOf(req)))))));
  router.use(unreadable(options));
  return router;
}

/** An address that can't be read is one that is not there. Its error says the address, so it is not logged. */
function unreadable({ deps }: ConnectOptions): ErrorRequestHandler {
  // biome-ignore lint/complexity/useMaxParams: Express knows an error handler by its four parameters
  return (_error, req, res, _next) => {
    if (res.headersSent) return void res.destroy();
    send(res, problem(wordsOf(req), gonePage(wordsOf(req), 'unknown', deps.config.mail)));
  };
}

/** The page of a request, or, if only forms are sent there, where its link leads. */
function backOf({ originalUrl }: Request): string {
  const [path = ''] = originalUrl.split('?');
  const [, below = ''] = /^\/connect\/[^/]+(\/.*)$/.exec(path) ?? [];
  const isPage = below === '' || pages.some((page) => page.path === below && page.get !== undefined);
  return isPage ? path : path.slice(0, -below.length);
}

type Answering = (context: ConnectContext) => Promise<ConnectReply | Download>;

function withLink({ deps }: ConnectOptions, answering: Answering): Handling {
  return async (req, res) => {
    const token = String(req.params['token']);
    const opened = await openLink(deps, token);
    if ('gone' in opened) {
      noteRefused({ req, deps }, 'link');
      const words = wordsOf(req);
      return send(res, problem(words, gonePage(words, opened.gone, deps.config.mail)));
    }
    const { onboarding, scope, endsAt } = opened;
    const words = onboarding.lang === null ? wordsOf(req) : wordsIn(onboarding.lang);
    const context: ConnectContext = { req, deps, words, onboarding, scope, endsAt, base: `/connect/${token}`, by: `merchant:${onboarding.id}` };
    const reply = await replyOf(context, answering);
    if ('content' in reply) return await sendFile(res, reply, connectHeaders);
    send(res, { ...reply, words, way: wayOf(context) });
  };
}

async function replyOf(context: ConnectContext, answering: Answering): Promise<ConnectReply | Download> {
  const words = problemWords(context.words);
  const back = backOf(context.req);
  if (context.req.method === 'POST' && !isOwnForm(context.req)) {
    noteRefused(context, 'foreign');
    return foreignPage(words, back);
  }
  try {
    return await answering(context);
  } catch (thrown) {
    // A press that was doubled: where it led is shown, not that it was doubled.
    if (thrown instanceof ChangedMeanwhile) return { goTo: context.base };
    // Advice is for operators: it names commands.
    if (thrown instanceof Refusal) return refusedPage(words, { kind: thrown.kind, said: thrown.said, advice: null, choices: null }, { back, form: null });
    if (thrown instanceof Stale) return stalePage(words, thrown, { back, form: null });
    throw thrown;
  }
}

/** A page that the link opens, once its step is reached; else the way there. */
function on({ of, code, path, isKept }: ConnectPage, answering: Answering | undefined): Answering {
  return async (context) => {
    const { onboarding, scope, base } = context;
    const isOfLink = scope.kind === 'all' ? of !== 'confirm' : of === (scope.kind === 'step' ? scope.step : scope.kind);
    const isOpen = isOfLink || (scope.kind === 'status' && isKept === true && onboarding.startedAt !== null);
    const isHere = of === 'status' || of === 'confirm' || isReachable(onboarding, of);
    if (!isOpen || !isHere || answering === undefined) return { goTo: startOf(context) };
    return (await lacksCode(context, code)) ? { goTo: `${base}/status/code?to=${path}` } : answering(context);
  };
}

/** Does the page take a code that this browser did not give? */
async function lacksCode({ req, deps, onboarding, scope, base }: ConnectContext, code: ConnectPage['code']): Promise<boolean> {
  const isNeeded = code === 'always' || (code === 'started' && scope.kind !== 'step' && onboarding.startedAt !== null);
  if (!isNeeded) return false;
  return !(await isOpened(deps, onboarding, keptByBrowser({ req, publicUrl: deps.config.publicUrl }, base.slice('/connect/'.length))));
}

function startOf({ scope, onboarding, base }: Pick<ConnectContext, 'scope' | 'onboarding' | 'base'>): string {
  if (scope.kind === 'step') return `${base}/${scope.step}`;
  return `${base}/${scope.kind === 'all' ? firstPage(onboarding) : scope.kind}`;
}

function firstPage(onboarding: Onboarding): string {
  return onboarding.startedAt === null ? (firstOpen(onboarding) ?? 'trial') : 'status';
}

async function chooseLanguage(context: ConnectContext): Promise<ConnectReply> {
  const lang = formOf(context.req).text('lang') === 'en' ? 'en' : 'bg';
  await saveNewest(context.deps, context.onboarding.id, () => ({ lang }));
  return { goTo: context.base };
}

function problem(words: Words, reply: ConnectReply): ConnectAnswer {
  return { ...reply, words };
}

function wayOf(context: ConnectContext) {
  const path = context.req.path.split('/')[2] ?? '';
  const at = pages.find((page) => page.path.split('/')[1] === path)?.of ?? 'store';
  return { onboarding: context.onboarding, scope: context.scope, base: context.base, at };
}

const LARGEST = 4 * 1024;
/** A merchant approves once or twice. */
const AT_ONCE = 20;
const PER_SECOND = 0.5;

const readJson = express.json({ limit: LARGEST, inflate: false, strict: true });

/** What others than the merchant's own pages send here: stores their keys, and browsers that come back from a store. */
function outsideRoutes(router: Router, { deps, failed }: { deps: ConnectPageDeps; failed(req: Request, res: Response, thrown: unknown): void }): void {
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

function taken(deps: ConnectPageDeps, req: Request): Promise<boolean> {
  return takeHandedOver(deps, String(req.params['platform']), req.body);
}

/** Who guesses is slowed down; no matter who they are, they learn nothing by it. */
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
function sendBack({ config }: ConnectPageDeps, req: Request, res: Response): void {
  const token = returningTo({ req, publicUrl: config.publicUrl }, String(req.params['code']));
  if (token === null) {
    const words = wordsOf(req);
    const { elsewhere: title, elsewhereBody } = words.store.back;
    return send(res, { status: 404, words, title, body: html`<p>${elsewhereBody}</p>` });
  }
  const success = req.query['success'] === '0' ? '0' : '1';
  res.writeHead(303, { ...connectHeaders, location: `/connect/${token}/store/back?success=${success}`, 'content-length': 0 }).end();
}

/**
 * True if one of our own pages sent the request. They send no referrer, so that browsers without `Sec-Fetch-Site` (older ones, and any over plain http)
 * call their origin "null". Another site can say that, too; but it does not know the link, which is in the address.
 */
function isOwnForm(req: Request): boolean {
  return isSameOrigin(req) || (req.get('sec-fetch-site') === undefined && req.get('origin') === 'null');
}

/** `connect`: the merchants' pages, for `/connect`. `grants`: where stores send merchants whom they asked to approve an app, for `/`. */
export type ConnectRouters = { connect: Router; grants: Router };

export function connectRouters(options: ConnectOptions): ConnectRouters {
  return { connect: connectRouter(options), grants: grantRouter(options) };
}

/** Every address below `/connect/{token}`. */
export const pages: readonly ConnectPage[] = [
  ...[storePage, foundPage, goPage, backPage, keysPage, companyPage, webhooksPage, mappingPage, trialPage],
  ...[statusPage, ordersPage, filesPage, codePage, mailboxPage, keepPage, notesPage, disconnectPage, unlinkPage, confirmPage],
];
