import type { KeyWay, StoreProblem } from '../../../bridge/storefronts/onboarding.ts';
import type { Form } from '../../../console/base/page.ts';
import { live } from '../../../console/frame/parts.ts';
import { offeredApps } from '../../../operations/apps/apps.ts';
import { beginGrant, GRANT_MINUTES } from '../../../operations/grants/approval.ts';
import { foundStore, nameOf, onboardingOf, type StoreAtAddress } from '../../../operations/onboarding/store.ts';
import { areKeysHere, beginHandOver, finishHandOver, HAND_OVER_MINUTES, keyWays, takeKeys, typedKeys } from '../../../operations/onboarding/store-keys.ts';
import { newToken } from '../../../operations/people/sessions.ts';
import { button, field, formTo } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { ConnectContext, ConnectPage, ConnectReply } from '../../base/connect-page.ts';
import { tooOften } from '../../base/inspection-limit.ts';
import { grantCookies, returnCookie } from '../../return-cookies.ts';
import { notesView, problemView, versionView } from './inspection-views.ts';
import { afterStore } from './store-page.ts';

/** `GET /connect/{token}/store/found`: what was found at the address, and how its keys are given. */
export const foundPage: ConnectPage = { path: '/store/found', of: 'store', get: show };

/** `GET /connect/{token}/store/go`: leads to the store, which asks the merchant. A link, because a form may lead to no other site. */
export const goPage: ConnectPage = { path: '/store/go', of: 'store', get: go };

async function show(context: ConnectContext): Promise<ConnectReply> {
  const { onboarding, words, base } = context;
  const { found: say } = words.store;
  const store = foundStore(onboarding);
  if (store === null) return { goTo: onboarding.done.includes('store') ? base : `${base}/store` };
  const isConnected = onboarding.connectionId !== null;
  const way = onboarding.done.includes('store') && !isConnected ? wayOn(context) : await wayToKeys(context, store);
  const other = html`<p><a href="${base}/store">${isConnected ? words.steps.back : words.store.other}</a></p>\n`;
  return {
    title: say.title,
    body: html`<p>${say.body(nameOf(store), new URL(store.url).host)}</p>\n${versionView(words, store.version)}${notesView(words, store.notes)}${way}${other}`,
  };
}

async function wayToKeys({ deps, words, base, onboarding }: ConnectContext, { url, canHandOver }: StoreAtAddress): Promise<Html> {
  const { found: say } = words.store;
  const apps = deps.config.publicUrl === null ? [] : await offeredApps(deps, onboarding);
  if (apps.length > 0) {
    const { host } = new URL(url);
    const verb = ({ id }: { id: string }) =>
      html`<p class="verbs"><a class="verb" href="${base}/store/go?app=${id}">${apps.length === 1 ? say.verb(host) : say.verbOf(host, id)}</a></p>`;
    return html`<p>${say.nextApp}</p>
${lines(apps.map(verb))}<p><a href="${base}/store/keys">${say.pasteOwn}</a></p>
`;
  }
  if (!canHandOver || deps.config.publicUrl === null) {
    return html`<p>${canHandOver ? say.noPublicUrl : say.pasteNext}</p>
<p class="verbs"><a class="verb" href="${base}/store/keys">${say.pasteVerb}</a></p>
`;
  }
  return html`<p>${say.next}</p>
<p class="verbs"><a class="verb" href="${base}/store/go">${say.verb(new URL(url).host)}</a></p>
<p><a href="${base}/store/keys">${say.paste}</a></p>
`;
}

async function go(context: ConnectContext): Promise<ConnectReply> {
  const { deps, onboarding, base, req } = context;
  const { publicUrl } = deps.config;
  const store = foundStore(onboarding);
  if (publicUrl === null || store === null || (onboarding.done.includes('store') && onboarding.connectionId === null)) return { goTo: `${base}/store/found` };
  const token = base.slice('/connect/'.length);
  const app = (await offeredApps(deps, onboarding)).find(({ id }) => id === req.query['app']);
  if (app !== undefined) {
    const begun = await beginGrant(deps, { app, url: store.url, base: publicUrl, onboarding: onboarding.id });
    return { goTo: begun.goTo, cookie: grantCookies({ req, publicUrl }, { state: begun.state, token, minutes: GRANT_MINUTES }) };
  }
  if (!store.canHandOver) return { goTo: `${base}/store/found` };
  const code = newToken();
  const goTo = await beginHandOver(deps, onboarding, { base: publicUrl, returnUrl: `${publicUrl}/connect/back/${code}` });
  return { goTo, cookie: returnCookie({ req, publicUrl }, { code, token, minutes: HAND_OVER_MINUTES }) };
}

const LOOK_SECONDS = 3;

/** `GET /connect/{token}/store/back`: the browser is back from the store. What its address says proves nothing: what counts is the keys that came. */
export const backPage: ConnectPage = { path: '/store/back', of: 'store', get: showBack };

async function showBack(context: ConnectContext): Promise<ConnectReply> {
  const { deps, onboarding, words, req } = context;
  const { back: say } = words.store;
  if (foundStore(onboarding) === null) return { goTo: `${context.base}/store` };
  const often = (await areKeysHere(deps, onboarding)) ? tooOften(context) : null;
  if (often !== null) return often;
  const over = await finishHandOver(deps, onboarding, context.by);
  if (over.kind === 'verified') return { goTo: afterKeys(context) };
  if (over.kind === 'refused') {
    const title = over.problem.code.startsWith('keys.') ? say.refused : say.unusable;
    return { title, body: html`${problemView(words, { title, platform: onboarding.platform, problem: over.problem })}${ways(context)}` };
  }
  if (req.query['success'] === '0') return { title: say.denied, body: html`<p>${say.deniedBody}</p>\n${ways(context)}` };
  return { title: say.awaited, body: html`${live('keys', html`<p>${say.awaitedBody}</p>`)}\n${ways(context)}`, refreshPlainly: LOOK_SECONDS };
}

function ways({ words: { store: say }, base }: ConnectContext): Html {
  return html`<p class="verbs"><a class="verb" href="${base}/store/found">${say.back.again}</a> <a href="${base}/store/keys">${say.found.paste}</a></p>
`;
}

/** `GET, POST /connect/{token}/store/keys`: keys that the merchant makes themselves; what they typed is never shown again. */
export const keysPage: ConnectPage = { path: '/store/keys', of: 'store', get: async (context) => askPage(context, {}), post: take };

function askPage(context: ConnectContext, { problem, isMissing = false }: { problem?: StoreProblem; isMissing?: boolean }): ConnectReply {
  const { onboarding, words, base } = context;
  const { keys: say } = words.store;
  if (foundStore(onboarding) === null) return { goTo: `${base}/store` };
  const ways = keyWays(onboarding);
  const wrong = problem === undefined ? nothing : problemView(words, { title: null, platform: onboarding.platform, problem });
  const [only] = ways;
  const body =
    only !== undefined && ways.length === 1
      ? html`<p>${say.intro(only.steps.length)}</p>\n${wayView(context, only)}`
      : html`<p>${say.introWays}</p>\n${lines(ways.map((way) => html`<section class="card"><h2>${way.title[words.lang]}</h2>\n${wayView(context, way)}</section>`))}`;
  return {
    status: problem === undefined && !isMissing ? 200 : 422,
    title: say.title,
    body: html`${wrong}${isMissing ? html`<p class="problem" role="alert">${say.missing}</p>\n` : nothing}${body}<p><a href="${base}/store/found">${words.steps.back}</a></p>
`,
  };
}

function wayView({ words, onboarding, base }: ConnectContext, { id, steps, parts }: KeyWay): Html {
  const { keys: say } = words.store;
  const keyParts = onboardingOf(onboarding.platform)?.guide?.keyParts ?? {};
  const fields = parts.map((name, n) =>
    field({ name, id: `${id}-${name}`, type: 'password', label: keyParts[name]?.[words.lang] ?? say.label(n + 1), required: true, autocomplete: 'off' }),
  );
  return html`<ol>
${lines(steps.map((step) => html`<li>${step[words.lang]}</li>`))}</ol>
${formTo(`${base}/store/keys`, { hidden: { way: id }, body: lines(fields), buttons: [button(say.verb)] })}`;
}

async function take(context: ConnectContext, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, base } = context;
  const store = foundStore(onboarding);
  if (store === null) return { goTo: `${base}/store` };
  const credentials = typedKeys(onboarding, (name) => form.text(name));
  if (credentials === null) return askPage(context, { isMissing: true });
  const often = tooOften(context);
  if (often !== null) return often;
  const verified = await takeKeys(deps, onboarding, { url: store.url, credentials, by: context.by });
  return verified.ok ? { goTo: afterKeys(context) } : askPage(context, { problem: verified.problem });
}

/** Where keys that work lead: on, or back to the store that got them anew. */
export function afterKeys({ onboarding, base }: Pick<ConnectContext, 'onboarding' | 'base'>): string {
  return onboarding.connectionId === null ? afterStore({ onboarding, base }) : `${base}/store?keys=new`;
}

/** On to the next step. */
function wayOn({ base, onboarding, words }: ConnectContext): Html {
  return html`<p class="verbs"><a class="verb" href="${afterStore({ onboarding, base })}">${words.steps.next}</a></p>
`;
}
