import type { Request } from 'express';
import type { StoredApp } from '../../bridge/ledger/app-store.ts';
import type { AppGrant } from '../../bridge/storefronts/app-grant.ts';
import type { LookProblem } from '../../bridge/storefronts/onboarding.ts';
import { field } from '../../console/frame/parts.ts';
import { grantableApps, grantOf } from '../../operations/apps/grantable-apps.ts';
import { beginGrant, GRANT_MINUTES, readInstall } from '../../operations/grants/begin-grant.ts';
import { onboardingOf, storeMeansNow } from '../../operations/onboarding/store-means.ts';
import { html, nothing } from '../../web/html.ts';
import type { ConnectOptions, Sent } from '../answer.ts';
import type { ConnectDeps } from '../base/connect-deps.ts';
import { grantCookies } from '../grant-cookie.ts';
import { problemView } from '../pages/store/problem-view.ts';
import { askWhom } from '../without-link.ts';
import { type Words, wordsOf } from '../words/words.ts';
import { queryOf, textOf } from './query-of.ts';

type Install = { deps: ConnectDeps; req: Request; words: Words; platform: string; title: string; grant: AppGrant; apps: readonly StoredApp[] };

/**
 * `GET /{platform}/install`: signed, it comes from the platform, where a merchant installs the app or opens it; with `shop`, it leads to that store's consent
 * page; with `name`, which a form has, the store is looked at first; with none of these, the name of the store is asked for. `app` says which app it is; an
 * app that is the only one need not be named, and a signature names its own.
 */
export async function showInstall({ deps }: ConnectOptions, req: Request): Promise<Sent> {
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
async function fromPlatform(install: Install): Promise<Sent> {
  const { req, words, grant, apps, title } = install;
  const signed = readInstall(grant, apps, queryOf(req));
  if (signed.ok) return toStore(install, signed.app, signed.url);
  const { staleTitle, stale, unsignedTitle, unsigned } = words.grant;
  const told = signed.why === 'stale' ? { title: staleTitle, said: stale } : { title: unsignedTitle, said: unsigned(title) };
  return problemPage(install, { ...told, status: 400 });
}

async function fromLink(install: Install, app: StoredApp, shop: string): Promise<Sent> {
  const url = install.grant.storeUrl(shop);
  return url === null ? lookedAt(install, app, shop) : toStore(install, app, url);
}

/** A link and not a form leads to the store: a form may lead to no other site. */
async function lookedAt(install: Install, app: StoredApp, typed: string): Promise<Sent> {
  const { deps, platform, words } = install;
  const looked = await onboardingOf(platform)?.look?.(typed.slice(0, LONGEST), storeMeansNow(deps));
  const url = looked?.ok === true ? install.grant.storeUrl(looked.url) : null;
  if (looked === undefined || !looked.ok || url === null)
    return askPage(install, app, { typed, problem: looked?.ok === false ? looked.problem : { code: 'site.other' } });
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

type Asked = { typed?: string; problem?: LookProblem };

function askPage({ words, title, platform }: Install, app: StoredApp, { typed = '', problem }: Asked): Sent {
  const { grant: say, lang } = words;
  const wrong = problem === undefined ? nothing : problemView(words, { title: words.store.wrongTitle(typed), platform, problem });
  const hint = onboardingOf(platform)?.addressHint?.[lang];
  return {
    words,
    status: problem === undefined ? 200 : 422,
    title: say.title(title),
    body: html`${wrong}<p>${say.intro}</p>
<form method="get" action="/${platform}/install"><input type="hidden" name="app" value="${app.id}">
${field({ name: 'name', label: say.label, value: typed, required: true, autocomplete: 'url', ...(hint === undefined ? {} : { hint }) })}
<p class="verbs"><button>${say.verb}</button></p></form>
`,
  };
}

async function toStore(install: Install, app: StoredApp, url: string): Promise<Sent> {
  const { deps, req, words } = install;
  const { publicUrl } = deps.config;
  if (publicUrl === null) return problemPage(install, { title: words.grant.noPublicUrlTitle, said: words.grant.noPublicUrl, status: 503 });
  const { goTo, state } = await beginGrant(deps, { app, url, base: publicUrl, onboarding: null });
  return { words, goTo, cookie: grantCookies({ req, publicUrl }, { state, token: null, minutes: GRANT_MINUTES }) };
}

type Told = { title: string; said: string; status: number };

function problemPage({ deps, words }: Pick<Install, 'deps' | 'words'>, { title, said, status }: Told): Sent {
  return { words, status, title, body: html`<p role="alert">${said}</p>${askWhom(words.steps, deps.config.mail)}` };
}

function here({ platform }: Install, query: Readonly<Record<string, string>>): string {
  return `/${platform}/install?${new URLSearchParams(query)}`;
}
