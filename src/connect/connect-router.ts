import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, type Router } from 'express';
import type { ConsoleLog } from '../console/base/console-deps.ts';
import { formOf } from '../console/base/form-of.ts';
import { isAway } from '../console/base/is-away.ts';
import { readForm } from '../console/frame/read-form.ts';
import { sendAsset } from '../console/frame/send-asset.ts';
import { Stale } from '../console/frame/stale.ts';
import { databasePage, failedPage, foreignPage, missingPage, refusedPage, stalePage } from '../console/problem-pages.ts';
import { ChangedMeanwhile, firstOpen, isReachable, type Onboarding, openLink, saveNewest } from '../operations/onboarding/onboarding.ts';
import { Refusal } from '../operations/refusal.ts';
import { originOf } from '../platform/http/request-origin.ts';
import { html } from '../web/html.ts';
import type { ConnectDeps } from './base/connect-deps.ts';
import type { ConnectPage, ConnectReply, Visit } from './base/connect-page.ts';
import { connectFrame } from './frame/connect-frame.ts';
import { connectHeaders } from './frame/connect-headers.ts';
import { askWhom, gonePage, type Mail, openDoor } from './open-door.ts';
import { outsideRoutes } from './outside-routes.ts';
import { isOwnForm } from './own-form.ts';
import { pages } from './pages.ts';
import { problemWords, type Words, wordsIn, wordsOf } from './words/words.ts';

type Options = { deps: ConnectDeps; log: ConsoleLog };

/** The merchants' pages, for `/connect`: who has a link sees what it opens, and nothing else. */
export function connectRouter(options: Options): Router {
  const router = express.Router({ caseSensitive: true });
  router.get('/assets/:name', sendAsset);
  outsideRoutes(router, { deps: options.deps, failed: (req, res, thrown) => options.log.failed(thrown, { method: req.method, ...originOf(req, res) }) });
  const door = openDoor(options.deps);
  router.get(
    '/',
    guarded(options, async (req, res) => send(res, problem(wordsOf(req), door.get(wordsOf(req))))),
  );
  router.post(
    '/',
    readForm,
    guarded(options, async (req, res) => send(res, problem(wordsOf(req), await door.post(req, wordsOf(req))))),
  );
  router.get(
    '/:token',
    guarded(
      options,
      withLink(options, async (visit) => ({ goTo: startOf(visit) })),
    ),
  );
  router.post('/:token/language', readForm, guarded(options, withLink(options, chooseLanguage)));
  for (const page of pages) {
    const route = router.route(`/:token${page.path}`);
    if (page.get !== undefined) route.get(guarded(options, withLink(options, on(page, page.get))));
    const { post } = page;
    if (post !== undefined)
      route.post(
        readForm,
        guarded(
          options,
          withLink(
            options,
            on(page, (visit) => post(visit, formOf(visit.req))),
          ),
        ),
      );
  }
  router.use(guarded(options, async (req, res) => send(res, problem(wordsOf(req), missingPage(problemWords(wordsOf(req)))))));
  router.use(unreadable(options));
  return router;
}

/** An address that can't be read is one that is not there. Its error says the address, so it is not logged. */
function unreadable({ deps }: Options): ErrorRequestHandler {
  // biome-ignore lint/complexity/useMaxParams: Express knows an error handler by its four parameters
  return (_error, req, res, _next) => {
    if (res.headersSent) return void res.destroy();
    send(res, problem(wordsOf(req), gonePage(wordsOf(req), 'unknown', deps.config.mail)));
  };
}

type Handling = (req: Request, res: Response) => Promise<void>;

/** Whatever is thrown becomes a page; the log names neither the address nor what was typed. */
function guarded({ deps, log }: Options, handling: Handling): RequestHandler {
  return async (req, res) => {
    const about = originOf(req, res);
    try {
      await handling(req, res);
    } catch (thrown) {
      if (res.headersSent) return void res.destroy();
      const isDatabaseAway = await isAway(deps.pool);
      if (!isDatabaseAway) log.failed(thrown, { method: req.method, ...about });
      const words = wordsOf(req);
      const where = { back: backOf(req), isSent: req.method === 'POST' };
      send(res, brokenReply({ words, mail: deps.config.mail, isAway: isDatabaseAway }, { ...where, requestId: about.requestId }));
    }
  };
}

/** The page of a request, or, if only forms are sent there, where its link leads. */
function backOf({ originalUrl }: Request): string {
  const [path = ''] = originalUrl.split('?');
  const [, below = ''] = /^\/connect\/[^/]+(\/.*)$/.exec(path) ?? [];
  const isPage = below === '' || pages.some((page) => page.path === below && page.get !== undefined);
  return isPage ? path : path.slice(0, -below.length);
}

/** The page that says that the database is away tries again. */
const RETRY_SECONDS = 10;

type OnOurSide = { words: Words; mail: Mail; isAway: boolean };

/** What is wrong on our side, and whom to write to if it lasts. */
function brokenReply({ words, mail, isAway }: OnOurSide, where: Parameters<typeof failedPage>[1]): Sent {
  const page = isAway ? databasePage(problemWords(words), where) : failedPage(problemWords(words), where);
  // What a form answered is at an address that may have no page.
  const again = where.isSent ? `${RETRY_SECONDS}; url=${where.back}` : `${RETRY_SECONDS}`;
  return { ...page, body: html`${page.body}${askWhom(words.steps, mail)}`, words, ...(isAway ? { refresh: again } : {}) };
}

type Answering = (visit: Visit) => Promise<ConnectReply>;

function withLink({ deps }: Options, answering: Answering): Handling {
  return async (req, res) => {
    const token = String(req.params['token']);
    const opened = await openLink(deps, token);
    if ('gone' in opened) {
      const words = wordsOf(req);
      return send(res, problem(words, gonePage(words, opened.gone, deps.config.mail)));
    }
    const { onboarding, scope } = opened;
    const words = onboarding.lang === null ? wordsOf(req) : wordsIn(onboarding.lang);
    const visit: Visit = { req, deps, words, onboarding, scope, base: `/connect/${token}`, by: `merchant:${onboarding.id}` };
    send(res, { ...(await replyOf(visit, answering)), visit });
  };
}

async function replyOf(visit: Visit, answering: Answering): Promise<ConnectReply> {
  const words = problemWords(visit.words);
  const back = backOf(visit.req);
  if (visit.req.method === 'POST' && !isOwnForm(visit.req)) return foreignPage(words, back);
  try {
    return await answering(visit);
  } catch (thrown) {
    // A press that was doubled: where it led is shown, not that it was doubled.
    if (thrown instanceof ChangedMeanwhile) return { goTo: visit.base };
    // Advice is for operators: it names commands.
    if (thrown instanceof Refusal) return refusedPage(words, { kind: thrown.kind, said: thrown.said, advice: null, choices: null }, { back, form: null });
    if (thrown instanceof Stale) return stalePage(words, thrown, { back, form: null });
    throw thrown;
  }
}

/** A page that the link opens, once its step is reached; else the way there. */
function on({ of }: ConnectPage, answering: Answering | undefined): Answering {
  return async (visit) => {
    const { onboarding, scope } = visit;
    const isOpen = scope.kind === 'all' || (scope.kind === 'step' ? scope.step === of : of === 'status');
    const isHere = of === 'status' || isReachable(onboarding, of);
    if (!isOpen || !isHere || answering === undefined) return { goTo: startOf(visit) };
    return answering(visit);
  };
}

function startOf({ scope, onboarding, base }: Pick<Visit, 'scope' | 'onboarding' | 'base'>): string {
  if (scope.kind === 'step') return `${base}/${scope.step}`;
  return `${base}/${scope.kind === 'status' ? 'status' : firstPage(onboarding)}`;
}

function firstPage(onboarding: Onboarding): string {
  return onboarding.startedAt === null ? (firstOpen(onboarding) ?? 'trial') : 'status';
}

async function chooseLanguage(visit: Visit): Promise<ConnectReply> {
  const lang = formOf(visit.req).text('lang') === 'en' ? 'en' : 'bg';
  await saveNewest(visit.deps, visit.onboarding.id, () => ({ lang }));
  return { goTo: visit.base };
}

/** `refresh`: as the meta element has it. */
type Sent = ConnectReply & { visit?: Visit; words?: Words; refresh?: string };

function problem(words: Words, reply: ConnectReply): Sent {
  return { ...reply, words };
}

function send(res: Response, sent: Sent): void {
  if (sent.cookie !== undefined) res.append('Set-Cookie', sent.cookie);
  if ('goTo' in sent) return void res.writeHead(303, { ...connectHeaders, location: sent.goTo, 'content-length': 0 }).end();
  const { visit, title, body, refreshPlainly, refresh, status = 200 } = sent;
  const words = sent.words ?? visit?.words ?? wordsOf(res.req);
  const page = connectFrame({
    words,
    title,
    body,
    way: wayOf(visit),
    ...(refreshPlainly === undefined ? {} : { refreshPlainly }),
    ...(refresh === undefined ? {} : { refresh }),
  });
  res.writeHead(status, { ...connectHeaders, 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(page) });
  res.end(page);
}

function wayOf(visit: Visit | undefined) {
  if (visit === undefined) return null;
  const path = visit.req.path.split('/')[2] ?? '';
  const at = pages.find((page) => page.path.split('/')[1] === path)?.of ?? 'store';
  return { onboarding: visit.onboarding, scope: visit.scope, base: visit.base, at };
}
