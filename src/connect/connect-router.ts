import express, { type ErrorRequestHandler, type Request, type Router } from 'express';
import { formOf } from '../console/base/form-of.ts';
import { readForm } from '../console/frame/read-form.ts';
import { sendAsset } from '../console/frame/send-asset.ts';
import { Stale } from '../console/frame/stale.ts';
import { foreignPage, missingPage, refusedPage, stalePage } from '../console/problem-pages.ts';
import { ChangedMeanwhile, firstOpen, isReachable, type Onboarding, openLink, saveNewest } from '../operations/onboarding/onboarding.ts';
import { Refusal } from '../operations/refusal.ts';
import { originOf } from '../platform/http/request-origin.ts';
import { type ConnectOptions, guarded, type Handling, type Sent, send } from './answer.ts';
import type { ConnectPage, ConnectReply, PageContext } from './base/connect-page.ts';
import { outsideRoutes } from './outside-routes.ts';
import { isOwnForm } from './own-form.ts';
import { pages } from './pages.ts';
import { gonePage, linkNeededPage } from './without-link.ts';
import { problemWords, type Words, wordsIn, wordsOf } from './words/words.ts';

/** The merchants' pages, for `/connect`: who has a link sees what it opens, and nothing else. */
export function connectRouter(options: ConnectOptions): Router {
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

type Answering = (context: PageContext) => Promise<ConnectReply>;

function withLink({ deps }: ConnectOptions, answering: Answering): Handling {
  return async (req, res) => {
    const token = String(req.params['token']);
    const opened = await openLink(deps, token);
    if ('gone' in opened) {
      const words = wordsOf(req);
      return send(res, problem(words, gonePage(words, opened.gone, deps.config.mail)));
    }
    const { onboarding, scope, endsAt } = opened;
    const words = onboarding.lang === null ? wordsOf(req) : wordsIn(onboarding.lang);
    const context: PageContext = { req, deps, words, onboarding, scope, endsAt, base: `/connect/${token}`, by: `merchant:${onboarding.id}` };
    send(res, { ...(await replyOf(context, answering)), words, way: wayOf(context) });
  };
}

async function replyOf(context: PageContext, answering: Answering): Promise<ConnectReply> {
  const words = problemWords(context.words);
  const back = backOf(context.req);
  if (context.req.method === 'POST' && !isOwnForm(context.req)) return foreignPage(words, back);
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
function on({ of }: ConnectPage, answering: Answering | undefined): Answering {
  return async (context) => {
    const { onboarding, scope } = context;
    const isOpen = scope.kind === 'all' ? of !== 'confirm' : of === (scope.kind === 'step' ? scope.step : scope.kind);
    const isHere = of === 'status' || of === 'confirm' || isReachable(onboarding, of);
    if (!isOpen || !isHere || answering === undefined) return { goTo: startOf(context) };
    return answering(context);
  };
}

function startOf({ scope, onboarding, base }: Pick<PageContext, 'scope' | 'onboarding' | 'base'>): string {
  if (scope.kind === 'step') return `${base}/${scope.step}`;
  return `${base}/${scope.kind === 'all' ? firstPage(onboarding) : scope.kind}`;
}

function firstPage(onboarding: Onboarding): string {
  return onboarding.startedAt === null ? (firstOpen(onboarding) ?? 'trial') : 'status';
}

async function chooseLanguage(context: PageContext): Promise<ConnectReply> {
  const lang = formOf(context.req).text('lang') === 'en' ? 'en' : 'bg';
  await saveNewest(context.deps, context.onboarding.id, () => ({ lang }));
  return { goTo: context.base };
}

function problem(words: Words, reply: ConnectReply): Sent {
  return { ...reply, words };
}

function wayOf(context: PageContext) {
  const path = context.req.path.split('/')[2] ?? '';
  const at = pages.find((page) => page.path.split('/')[1] === path)?.of ?? 'store';
  return { onboarding: context.onboarding, scope: context.scope, base: context.base, at };
}
