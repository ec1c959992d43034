import type { Request, RequestHandler, Router } from 'express';
import express from 'express';
import type { StoredApp } from '../bridge/ledger/apps/app-store.ts';
import type { AppGrant } from '../bridge/storefronts/app-grant.ts';
import type { StoreProblem } from '../bridge/storefronts/onboarding.ts';
import { grantableApps, grantOf } from '../operations/apps/apps.ts';
import { type ApprovalOutcome, beginGrant, type Finished, finishGrant, GRANT_MINUTES, readInstall } from '../operations/grants/approval.ts';
import { findNewest, type Onboarding, openLink } from '../operations/onboarding/onboarding.ts';
import { onboardingOf, storeMeansNow } from '../operations/onboarding/store.ts';
import { clientOf, networkOf } from '../platform/http/request-origin.ts';
import { TokenBuckets } from '../platform/rate-limit.ts';
import { button, field, formTo } from '../web/forms.ts';
import { type Html, html, nothing } from '../web/html.ts';
import { askWhom, type ConnectAnswer, type ConnectOptions, gonePage, guarded, send } from './answer.ts';
import type { ConnectPageDeps, ConnectReply } from './base/connect-page.ts';
import { connectHeaders } from './frame.ts';
import { type Words, wordsIn, wordsOf } from './messages/messages.ts';
import { problemView } from './pages/store/inspection-views.ts';
import { afterKeys } from './pages/store/keys-page.ts';
import { endedGrantCookie, grantCookies, grantReturning } from './return-cookies.ts';

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
  const answered = (show: (options: ConnectOptions, req: Request) => Promise<ConnectAnswer>): RequestHandler =>
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

/** HEAD, too: who looks at an address before a person opens it must not use up their approval. */
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

function slowed(req: Request): ConnectAnswer {
  const words = wordsOf(req);
  return { words, status: 429, title: words.steps.title, body: html`<p role="alert">${words.grant.slow}</p>` };
}

type Install = { deps: ConnectPageDeps; req: Request; words: Words; platform: string; title: string; grant: AppGrant; apps: readonly StoredApp[] };

/**
 * `GET /{platform}/install`: signed, it comes from the platform, where a merchant installs the app or opens it; with `shop`, it leads to that store's consent
 * page; with `name`, which a form has, the store is looked at first; with none of these, the name of the store is asked for. `app` says which app it is; an
 * app that is the only one need not be named, and a signature names its own.
 */
async function showInstall({ deps }: ConnectOptions, req: Request): Promise<ConnectAnswer> {
  const words = wordsOf(req);
  const platform = String(req.params['platform']);
  const title = onboardingOf(platform)?.title ?? platform;
  const grant = grantOf(platform);
  if (grant === null) throw new Error(`stores of ${platform} approve no app`);
  const all = await grantableApps(deps, platform);
  const named = textOf(req, 'app');
  const apps = named === '' ? all : all.filter(({ id }) => id === named);
  const install: Install = { deps, req, words, platform, title, grant, apps };
  if (textOf(req, 'hmac') !== '') return fromPlatform(install);
  const [app] = apps;
  if (app === undefined || apps.length > 1) return problemPage(install, { title: words.grant.noAppTitle, said: words.grant.noApp, status: 404 });
  const shop = textOf(req, 'shop');
  if (shop !== '') return fromLink(install, app, shop);
  const name = textOf(req, 'name');
  return name === '' ? askPage(install, app, {}) : lookedAt(install, app, name);
}

/** Whatever a store signs for one of the apps is of that one. */
async function fromPlatform(install: Install): Promise<ConnectAnswer> {
  const { req, words, grant, apps, title } = install;
  const signed = readInstall(grant, apps, queryOf(req));
  if (signed.ok) return toStore(install, signed.app, signed.url);
  const { staleTitle, stale, unsignedTitle, unsigned } = words.grant;
  const shown = signed.why === 'stale' ? { title: staleTitle, said: stale } : { title: unsignedTitle, said: unsigned(title) };
  return problemPage(install, { ...shown, status: 400 });
}

async function fromLink(install: Install, app: StoredApp, shop: string): Promise<ConnectAnswer> {
  const url = install.grant.storeUrl(shop);
  return url === null ? lookedAt(install, app, shop) : toStore(install, app, url);
}

/** A link and not a form leads to the store: a form may lead to no other site. */
async function lookedAt(install: Install, app: StoredApp, typed: string): Promise<ConnectAnswer> {
  const { deps, platform, words } = install;
  const inspected = await onboardingOf(platform)?.inspectHomepage?.(typed.slice(0, LONGEST), storeMeansNow(deps));
  const url = inspected?.ok === true ? install.grant.storeUrl(inspected.url) : null;
  if (inspected === undefined || !inspected.ok || url === null)
    return askPage(install, app, { typed, problem: inspected?.ok === false ? inspected.problem : { code: 'site.other' } });
  const { host } = new URL(url);
  const { grant: say } = words;
  return {
    words,
    title: say.found(host),
    body: html`<p>${say.foundBody}</p>
<p class="verbs"><a class="verb" href="${here(install, { app: app.id, shop: host })}">${words.store.found.verb(host)}</a></p>
<p><a href="${here(install, { app: app.id })}">${say.other}</a></p>
`,
  };
}

const LONGEST = 500;

function askPage({ words, title, platform }: Install, app: StoredApp, { typed = '', problem }: { typed?: string; problem?: StoreProblem }): ConnectAnswer {
  const { grant: say, lang } = words;
  const wrong = problem === undefined ? nothing : problemView(words, { title: words.store.wrongTitle(typed), platform, problem });
  const hint = onboardingOf(platform)?.addressHint?.[lang];
  const body = field({ name: 'name', label: say.label, value: typed, required: true, autocomplete: 'url', hint });
  return {
    words,
    status: problem === undefined ? 200 : 422,
    title: say.title(title),
    body: html`${wrong}<p>${say.intro}</p>
${formTo(`/${platform}/install`, { method: 'get', hidden: { app: app.id }, body, buttons: [button(say.verb)] })}`,
  };
}

async function toStore(install: Install, app: StoredApp, url: string): Promise<ConnectAnswer> {
  const { deps, req, words } = install;
  const { publicUrl } = deps.config;
  if (publicUrl === null) return problemPage(install, { title: words.grant.noPublicUrlTitle, said: words.grant.noPublicUrl, status: 503 });
  const { goTo, state } = await beginGrant(deps, { app, url, base: publicUrl, onboarding: null });
  return { words, goTo, cookie: grantCookies({ req, publicUrl }, { state, token: null, minutes: GRANT_MINUTES }) };
}

type GrantNotice = { title: string; said: string; status: number };

function problemPage({ deps, words }: Pick<Install, 'deps' | 'words'>, { title, said, status }: GrantNotice): ConnectAnswer {
  return { words, status, title, body: html`<p role="alert">${said}</p>${askWhom(words.steps, deps.config.mail)}` };
}

function here({ platform }: Install, query: Readonly<Record<string, string>>): string {
  return `/${platform}/install?${new URLSearchParams(query)}`;
}

/** `base`: of the pages of their link; null: they came from none. `request`: what they were sent with; null: it is not known. */
type Back = {
  options: ConnectOptions;
  words: Words;
  platform: string;
  onboarding: Onboarding | null;
  base: string | null;
  request: ApprovalOutcome['request'];
};

/** `GET /{platform}/callback`: the store sends back anyone who was asked to approve an app. It counts in the browser that was sent, once, and if the app's secret signed it. */
async function showCallback(options: ConnectOptions, req: Request): Promise<ConnectAnswer> {
  const { deps } = options;
  const platform = String(req.params['platform']);
  const state = textOf(req, 'state');
  const from = grantReturning({ req, publicUrl: deps.config.publicUrl }, state);
  const words = wordsOf(req);
  const unlinked: Back = { options, words, platform, onboarding: null, base: null, request: null };
  if (from === null) return { words, ...(await replyOf(unlinked, { kind: 'unknown' })) };
  const opened = from.token === null ? null : await openLink(deps, from.token);
  if (opened !== null && 'gone' in opened) return { words, ...gonePage(words, opened.gone, deps.config.mail) };
  const came = opened === null ? unlinked : linked(unlinked, { onboarding: opened.onboarding, token: from.token ?? '' });
  const { finished, request } = await finishGrant(deps, { platform, query: queryOf(req), state, onboarding: came.onboarding });
  const back = { ...came, request };
  const isOver = finished.kind !== 'distrusted' && finished.kind !== 'denied';
  const cookie = isOver ? { cookie: endedGrantCookie({ req, publicUrl: deps.config.publicUrl }, state) } : {};
  return { words: back.words, ...(await replyOf(back, finished)), ...cookie };
}

function linked(back: Back, { onboarding, token }: { onboarding: Onboarding; token: string }): Back {
  return { ...back, onboarding, base: `/connect/${token}`, words: onboarding.lang === null ? back.words : wordsIn(onboarding.lang) };
}

async function replyOf(back: Back, finished: Finished): Promise<ConnectReply> {
  const { words, base, options } = back;
  const { grant: say } = words;
  switch (finished.kind) {
    case 'way':
      return { goTo: finished.token === null ? await onTheirWay(back) : `/connect/${finished.token}` };
    case 'denied':
      return base === null ? problem(back, { title: say.deniedTitle, said: say.denied, status: 200 }) : { goTo: `${base}/store/back?success=0` };
    case 'unknown':
      return problem(back, { title: say.unknownTitle, said: say.unknown, status: 400 });
    case 'distrusted':
      return problem(back, { title: say.distrustedTitle, said: say.distrusted, status: 400 });
    case 'refused':
      return problem(back, { title: say.refusedTitle, said: finished.again ? say.refusedNow : say.refused(finished.said[words.lang]), status: 422 });
    case 'problem':
      return storeProblem(back, finished);
    case 'taken':
      return { status: 409, title: say.takenTitle(finished.store), body: html`<p>${say.taken}</p>${askWhom(words.steps, options.deps.config.mail)}` };
    case 'connected':
      return { title: say.connectedTitle(finished.store), body: html`<p role="status"><span class="tag ok">✓</span> ${say.connected}</p>` };
  }
}

async function onTheirWay({ options, onboarding, base }: Back): Promise<string> {
  if (onboarding === null || base === null) throw new Error('they came from no link');
  return afterKeys({ onboarding: await findNewest(options.deps, onboarding.id), base });
}

function storeProblem(back: Back, { problem: found }: Extract<Finished, { kind: 'problem' }>): ConnectReply {
  const { words, platform, request } = back;
  const title = request === null ? words.grant.refusedTitle : words.store.wrongTitle(new URL(request.url).host);
  return { status: 422, title, body: html`${problemView(words, { title: null, platform, problem: found })}${again(back)}` };
}

function problem(back: Back, { title, said, status }: GrantNotice): ConnectReply {
  return { status, title, body: html`<p role="alert">${said}</p>\n${again(back)}` };
}

/** Where they can begin anew; nothing, if that is not known. */
function again({ words, base, platform, request }: Back): Html {
  const query = request === null ? null : new URLSearchParams({ app: request.app, shop: new URL(request.url).host });
  const address = base === null ? query && `/${platform}/install?${query}` : `${base}/store/found`;
  return address === null ? nothing : html`<p class="verbs"><a class="verb" href="${address}">${words.grant.again}</a></p>\n`;
}

/** The query as it came, without its question mark: what is signed of it. */
function queryOf({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?');
  return at < 0 ? '' : originalUrl.slice(at + 1);
}

/** Empty: the query does not have it, or has it twice. */
function textOf({ query }: Request, name: string): string {
  const value = query[name];
  return typeof value === 'string' ? value : '';
}
