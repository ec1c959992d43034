import type { Connection } from '../../bridge/connections/connection.ts';
import type { Snippet, StoreProblem } from '../../bridge/storefronts/onboarding.ts';
import type { Form } from '../../console/base/page.ts';
import { copyable, live, when } from '../../console/frame/parts.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import { webhookAddress } from '../../operations/connections/store-webhooks.ts';
import { attachStore } from '../../operations/onboarding/attach-store.ts';
import { endStep, type Onboarding } from '../../operations/onboarding/onboarding.ts';
import { foundStore, onboardingOf, topicsOf } from '../../operations/onboarding/store.ts';
import {
  areLookedAfter,
  freshSecret,
  type MadeWebhooks,
  makeWebhooks,
  type Received,
  type Resaved,
  receivedFrom,
  resaveOrder,
} from '../../operations/onboarding/webhooks.ts';
import { button, formTo, tick } from '../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import type { ConnectContext, ConnectPage, ConnectReply } from '../base/connect-page.ts';
import type { Words } from '../messages/messages.ts';
import { stepLinkForm, stepLinkPage } from './step-link.ts';
import { notesView, problemView } from './store/inspection-views.ts';

const LOOK_SECONDS = 5;

/** `GET, POST /connect/{token}/webhooks`: the connection is made, on trial, and how its store tells of orders. */
export const webhooksPage: ConnectPage = { path: '/webhooks', of: 'webhooks', get: show, post: act };

async function show(context: ConnectContext): Promise<ConnectReply> {
  const connection = await connectionOf(context);
  return connection === null ? askView(context) : watchView(context, { connection, made: null, resaved: savedBefore(context) });
}

async function connectionOf({ deps, onboarding }: ConnectContext): Promise<Connection | null> {
  return onboarding.connectionId === null ? null : deps.connections.find(onboarding.connectionId);
}

async function act(context: ConnectContext, form: Form): Promise<ConnectReply> {
  const connection = await connectionOf(context);
  const verb = form.text('act');
  if (connection !== null && verb === 'secret') {
    return secretView(context, { connection, secret: await freshSecret(context.deps, connection, context.by) });
  }
  if (connection !== null && verb === 'resave') return afterResave(context, connection);
  if (connection !== null && verb === 'check') {
    const made = await makeWebhooks(context.deps, connection, context.by);
    return made.kind === 'busy' ? { goTo: `${context.base}/webhooks` } : watchView(context, { connection, made, resaved: null });
  }
  if (connection !== null && verb === 'link' && context.scope.kind === 'all') {
    const { developer: title, developerOnce: once } = context.words.webhooks;
    return stepLinkPage(context, { step: 'webhooks', title, once });
  }
  return attach(context, form);
}

/** Makes what is not there yet; pressed again, it goes on where it was. */
async function attach(context: ConnectContext, form: Form): Promise<ConnectReply> {
  const { deps, by } = context;
  const { fetchJson } = deps.stores;
  const given = { ...deps, fetchJson, trustedHttpHosts: deps.config.trustedHttpHosts };
  const { onboarding, connection, secret } = await attachStore(given, context.onboarding, by);
  const now = { ...context, onboarding };
  if (!isMadeByUs(onboarding)) {
    await end(now);
    return secret === null ? { goTo: `${context.base}/webhooks` } : secretView(now, { connection, secret });
  }
  const made = await makeWebhooks(deps, connection, by);
  // On to the page that renews itself until the other press has made them.
  if (made.kind === 'busy') return { goTo: `${context.base}/webhooks` };
  const isDone = made.kind === 'made' && made.missing.length === 0;
  if (isDone) await end(now);
  if (!isDone) return watchView(now, { connection, made, resaved: null });
  return form.text('agree') === 'yes' ? afterResave(now, connection) : { goTo: `${context.base}/webhooks` };
}

/** On to the page that renews itself until the message came. */
async function afterResave(context: ConnectContext, connection: Connection): Promise<ConnectReply> {
  const resaved = await resaveOrder(context.deps, connection, context.by);
  if (resaved.kind === 'refused') return watchView(context, { connection, made: null, resaved });
  return { goTo: `${context.base}/webhooks?saved=${resaved.kind === 'none' ? '0' : '1'}` };
}

function savedBefore({ req }: ConnectContext): Resaved | null {
  const { saved } = req.query;
  return saved === '1' ? { kind: 'resaved' } : saved === '0' ? { kind: 'none' } : null;
}

/** A key that may write makes them; else the merchant does. */
function isMadeByUs(onboarding: Onboarding): boolean {
  return foundStore(onboarding)?.mayWrite === true;
}

function end({ deps, onboarding }: ConnectContext): Promise<void> {
  return endStep(deps, onboarding, 'webhooks');
}

/** What will be made, before anything is; and what their keys are not good for. */
function askView({ words, onboarding, base }: ConnectContext): ConnectReply {
  const { webhooks: say } = words;
  const store = foundStore(onboarding);
  const isMade = store?.mayWrite === true;
  const [intro, verb] = isMade ? [say.intro, say.make] : store === null ? [say.introOwn, say.makeOwn] : [say.introByHand, say.makeByHand];
  const agree = html`${tick({ name: 'agree', label: say.agree })}
<p class="hint">${say.agreeHint}</p>`;
  const canResave = isMade && onboardingOf(onboarding.platform)?.resave !== undefined;
  return {
    title: say.title,
    body: html`${notesView(words, store?.notes ?? [])}<p>${intro}</p>
${formTo(`${base}/webhooks`, { hidden: { act: 'make' }, body: canResave ? agree : nothing, buttons: [button(verb)] })}`,
  };
}

type Shown = { connection: Connection; secret: string };

/** The secret, once. Not behind a redirect: it is in no address, and no page that renews itself. */
async function secretView(context: ConnectContext, { connection, secret }: Shown): Promise<ConnectReply> {
  const { webhooks: say } = context.words;
  const address = webhookAddress(await context.deps.stores.base(), connection);
  const code = onboardingOf(connection.platform)?.connectionCode?.({ address, secret });
  return {
    title: say.secretTitle,
    body: html`<p><strong>${say.secretOnce}</strong></p>
<pre class="secret" tabindex="0">${secret}</pre>
${code === undefined ? nothing : html`<p>${say.connectionCode}:</p>\n<pre class="secret" tabindex="0">${code}</pre>`}
<p class="verbs"><a class="verb" href="${context.base}/webhooks">${say.watch}</a></p>
${await guideView(context, { connection, secret })}`,
  };
}

/** How the merchant makes it send: steps in its store, or code. `secret`: what stands for it. */
async function guideView({ deps, words }: ConnectContext, { connection, secret }: Shown): Promise<Html> {
  const { webhooks: say } = words;
  const able = onboardingOf(connection.platform);
  const address = webhookAddress(await deps.stores.base(), connection);
  const steps = able?.guide?.webhooks({ address, topics: topicsOf(connection.platform) }) ?? [];
  const now = deps.now().getTime();
  const code = able?.snippets?.({ address, secret, id: `9${now}`, now }) ?? [];
  return html`<p>${say.addressLabel}: ${copyable(address)}</p>
${steps.length === 0 ? nothing : stepsView(words, steps)}${code.length === 0 ? nothing : codeView(words, code)}`;
}

function stepsView({ lang, webhooks: say }: Words, steps: readonly LocalizedText[]): Html {
  return html`<h2>${say.byHandTitle}</h2>
<ol>
${lines(steps.map((step) => html`<li>${step[lang]}</li>`))}</ol>
`;
}

function codeView({ webhooks: say }: Words, code: readonly Snippet[]): Html {
  const one = ({ language, fileName, run, code: text }: Snippet) => html`<details><summary>${language}: ${fileName}</summary>
<p>${say.run(run)}</p>
<pre class="copy" tabindex="0"><code>${text}</code></pre></details>`;
  return html`<h2>${say.codeTitle}</h2>
<p>${say.codeBody}</p>
${lines(code.map(one))}`;
}

type Watched = { connection: Connection; made: Exclude<MadeWebhooks, { kind: 'busy' }> | null; resaved: Resaved | null };

/** What the store has sent by now; the page looks again by itself until something good came, and until the step is done. */
async function watchView(context: ConnectContext, { connection, made, resaved }: Watched): Promise<ConnectReply> {
  const { deps, words, onboarding, req } = context;
  const { webhooks: say } = words;
  const store = foundStore(onboarding);
  const received = await receivedFrom(deps, connection);
  const isDone = onboarding.done.includes('webhooks') || (made?.kind === 'made' && made.missing.length === 0);
  const body = html`${madeView(context, made)}${resavedView(context, resaved)}<h2>${say.first}</h2>
${live('first', receivedView(words, { received, waits: waitsFor(context) }))}
${live('on', isDone ? doneView(context) : await openView(context, { connection, made }))}${received.good === null ? resaveForm(context, connection) : nothing}${store?.mayWrite === true ? nothing : await byHand(context, connection)}`;
  const isAsked = req.method === 'GET' && (received.good === null || !isDone);
  return { title: say.title, body, ...(isAsked ? { refreshPlainly: LOOK_SECONDS } : {}) };
}

/** Until there is a message: a store whose orders nobody can save as they are sends its first one with a change. */
function waitsFor({ words: { webhooks: say }, onboarding }: ConnectContext): string {
  if (foundStore(onboarding) === null) return say.waitsOwn;
  return onboardingOf(onboarding.platform)?.resave === undefined ? say.waitsChange : say.waits;
}

function doneView(context: ConnectContext): Html {
  const isMadeByUs = foundStore(context.onboarding)?.mayWrite === true;
  return html`${context.scope.kind === 'all' ? wayOn(context) : nothing}${isMadeByUs ? pressed(context, 'check', context.words.webhooks.check) : nothing}`;
}

/** Another press of theirs may be making them. */
async function openView(context: ConnectContext, { connection, made }: Pick<Watched, 'connection' | 'made'>): Promise<Html> {
  const { webhooks: say } = context.words;
  if (await areLookedAfter(context.deps, connection)) return html`<p role="status">${say.making}</p>\n`;
  return html`${made === null ? html`<p>${say.notMade}</p>\n` : nothing}${pressed(context, 'make', say.again)}`;
}

function madeView(context: ConnectContext, made: Watched['made']): Html {
  const { webhooks: say } = context.words;
  if (made === null) return nothing;
  if (made.kind === 'failed') return failedView(context, say.failed, made);
  if (made.missing.length > 0) {
    return html`<div class="banner failing" role="alert"><h2>${say.failed}</h2><p>${say.missing(made.missing.join(', '))}</p></div>\n`;
  }
  return html`<p>${say.made(made.webhooks.length)}</p>\n`;
}

function failedView(
  { words, onboarding }: ConnectContext,
  title: string,
  { words: said, problem }: { words: LocalizedText; problem: StoreProblem | null },
): Html {
  if (problem !== null) return problemView(words, { title, platform: onboarding.platform, problem });
  return html`<div class="banner failing" role="alert"><h2>${title}</h2><p>${said[words.lang]}</p></div>\n`;
}

function resavedView(context: ConnectContext, resaved: Resaved | null): Html {
  const { webhooks: say } = context.words;
  if (resaved === null) return nothing;
  if (resaved.kind === 'refused') return failedView(context, say.resave, resaved);
  return html`<p role="status">${resaved.kind === 'none' ? say.noOrder : say.resaved}</p>\n`;
}

function receivedView(words: Words, { received: { good, bad }, waits }: { received: Received; waits: string }): Html {
  const { webhooks: say } = words;
  const came =
    good === null
      ? html`<p><span class="tag quiet">…</span> ${waits}</p>`
      : html`<p><span class="tag ok">✓</span> ${say.came}: ${when(good.at, words, 'second')}${good.order === null ? nothing : html`, ${say.order(good.order)}`}</p>`;
  return bad === null ? came : html`${came}${badView(words, bad)}`;
}

function badView(words: Words, { at, code, detail }: NonNullable<Received['bad']>): Html {
  const { webhooks: say } = words;
  const parts = detail?.split('\n') ?? [];
  return html`<div class="banner failing" role="alert"><h3>${say.bad}: ${when(at, words, 'second')}</h3><p>${say.refused[code] ?? say.refusedOther(code)}</p>
${parts.length === 0 ? nothing : html`<ul>${lines(parts.map((part) => html`<li>${part}</li>`))}</ul>`}</div>`;
}

function wayOn({ base, words }: ConnectContext): Html {
  return html`<p class="verbs"><a class="verb" href="${base}/mapping">${words.webhooks.next}</a></p>
`;
}

function pressed({ base }: ConnectContext, act: 'make' | 'check' | 'secret', verb: string): Html {
  return formTo(`${base}/webhooks`, { hidden: { act }, body: nothing, buttons: [button(verb, { class: act === 'check' ? 'plain' : null })] });
}

function resaveForm({ base, words, onboarding }: ConnectContext, { platform }: Connection): Html {
  if (foundStore(onboarding)?.mayWrite !== true || onboardingOf(platform)?.resave === undefined) return nothing;
  const { webhooks: say } = words;
  return formTo(`${base}/webhooks`, { hidden: { act: 'resave' }, body: html`<p class="hint">${say.agreeHint}</p>`, buttons: [button(say.resave)] });
}

async function byHand(context: ConnectContext, connection: Connection): Promise<Html> {
  const { webhooks: say } = context.words;
  return html`${await guideView(context, { connection, secret: `whsec_${say.codeSecret}` })}<h2>${say.secretTitle}</h2>
<p>${say.secretHidden}</p>
${pressed(context, 'secret', say.fresh)}${context.scope.kind === 'all' ? stepLinkForm(context, { step: 'webhooks', title: say.developer, body: say.developerBody }) : nothing}`;
}
