import type { Connection } from '../../../bridge/connections/connection.ts';
import type { LookProblem } from '../../../bridge/storefronts/onboarding.ts';
import { live, when } from '../../../console/frame/parts.ts';
import type { Said } from '../../../contract/said.ts';
import { areLookedAfter, type Made, type Touched } from '../../../operations/onboarding/make-webhooks.ts';
import { type Received, receivedFrom } from '../../../operations/onboarding/received-from-store.ts';
import { onboardingOf } from '../../../operations/onboarding/store-means.ts';
import { foundStore } from '../../../operations/onboarding/store-progress.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { ConnectReply, PageContext } from '../../base/connect-page.ts';
import type { Words } from '../../words/words.ts';
import { problemView } from '../store/problem-view.ts';
import { guideView } from './secret-view.ts';

type Watched = { connection: Connection; made: Exclude<Made, { kind: 'busy' }> | null; touched: Touched | null };

const LOOK_SECONDS = 5;

/** What the store has sent by now; the page looks again by itself until something good came, and until the step is done. */
export async function watchView(context: PageContext, { connection, made, touched }: Watched): Promise<ConnectReply> {
  const { deps, words, onboarding, req } = context;
  const { webhooks: say } = words;
  const store = foundStore(onboarding);
  const received = await receivedFrom(deps, connection);
  const isDone = onboarding.done.includes('webhooks') || (made?.kind === 'made' && made.missing.length === 0);
  const body = html`${madeView(context, made)}${touchedView(context, touched)}<h2>${say.first}</h2>
${live('first', receivedView(words, { received, waits: waitsFor(context) }))}
${live('on', isDone ? doneView(context) : await openView(context, { connection, made }))}${received.good === null ? touchForm(context, connection) : nothing}${store?.mayWrite === true ? nothing : await byHand(context, connection)}`;
  const isAsked = req.method === 'GET' && (received.good === null || !isDone);
  return { title: say.title, body, ...(isAsked ? { refreshPlainly: LOOK_SECONDS } : {}) };
}

/** Until there is a message: a store whose orders nobody can save as they are sends its first one with a change. */
function waitsFor({ words: { webhooks: say }, onboarding }: PageContext): string {
  if (foundStore(onboarding) === null) return say.waitsOwn;
  return onboardingOf(onboarding.platform)?.touch === undefined ? say.waitsChange : say.waits;
}

function doneView(context: PageContext): Html {
  const isMadeByUs = foundStore(context.onboarding)?.mayWrite === true;
  return html`${context.scope.kind === 'all' ? wayOn(context) : nothing}${isMadeByUs ? pressed(context, 'check', context.words.webhooks.check) : nothing}`;
}

/** Another press of his may be making them. */
async function openView(context: PageContext, { connection, made }: Pick<Watched, 'connection' | 'made'>): Promise<Html> {
  const { webhooks: say } = context.words;
  if (await areLookedAfter(context.deps, connection)) return html`<p role="status">${say.making}</p>\n`;
  return html`${made === null ? html`<p>${say.notMade}</p>\n` : nothing}${pressed(context, 'make', say.again)}`;
}

function madeView(context: PageContext, made: Watched['made']): Html {
  const { webhooks: say } = context.words;
  if (made === null) return nothing;
  if (made.kind === 'failed') return failedView(context, say.failed, made);
  if (made.missing.length > 0) {
    return html`<div class="banner failing" role="alert"><h2>${say.failed}</h2><p>${say.missing(made.missing.join(', '))}</p></div>\n`;
  }
  return html`<p>${say.made(made.webhooks.length)}</p>\n`;
}

function failedView({ words, onboarding }: PageContext, title: string, { words: said, problem }: { words: Said; problem: LookProblem | null }): Html {
  if (problem !== null) return problemView(words, { title, platform: onboarding.platform, problem });
  return html`<div class="banner failing" role="alert"><h2>${title}</h2><p>${said[words.lang]}</p></div>\n`;
}

function touchedView(context: PageContext, touched: Touched | null): Html {
  const { webhooks: say } = context.words;
  if (touched === null) return nothing;
  if (touched.kind === 'refused') return failedView(context, say.touch, touched);
  return html`<p role="status">${touched.kind === 'none' ? say.noOrder : say.touched}</p>\n`;
}

function receivedView(words: Words, { received: { good, bad }, waits }: { received: Received; waits: string }): Html {
  const { webhooks: say } = words;
  const came =
    good === null
      ? html`<p><span class="tag quiet">…</span> ${waits}</p>`
      : html`<p><span class="tag ok">✓</span> ${say.came}: ${when(good.at, words)}${good.order === null ? nothing : html`, ${say.order(good.order)}`}</p>`;
  return bad === null ? came : html`${came}${badView(words, bad)}`;
}

function badView(words: Words, { at, code, detail }: NonNullable<Received['bad']>): Html {
  const { webhooks: say } = words;
  const parts = detail?.split('\n') ?? [];
  return html`<div class="banner failing" role="alert"><h3>${say.bad}: ${when(at, words)}</h3><p>${say.refused[code] ?? say.refusedOther(code)}</p>
${parts.length === 0 ? nothing : html`<ul>${lines(parts.map((part) => html`<li>${part}</li>`))}</ul>`}</div>`;
}

function wayOn({ base, words }: PageContext): Html {
  return html`<p class="verbs"><a class="verb" href="${base}/mapping">${words.webhooks.next}</a></p>
`;
}

function pressed({ base }: PageContext, act: 'make' | 'check', verb: string): Html {
  return html`<form method="post" action="${base}/webhooks"><input type="hidden" name="act" value="${act}"><p class="verbs"><button${attributes({ class: act === 'check' ? 'plain' : null })}>${verb}</button></p></form>
`;
}

function touchForm({ base, words, onboarding }: PageContext, { platform }: Connection): Html {
  if (foundStore(onboarding)?.mayWrite !== true || onboardingOf(platform)?.touch === undefined) return nothing;
  const { webhooks: say } = words;
  return html`<form method="post" action="${base}/webhooks"><input type="hidden" name="act" value="touch">
<p class="verbs"><button>${say.touch}</button></p><p class="hint">${say.agreeHint}</p></form>
`;
}

async function byHand(context: PageContext, connection: Connection): Promise<Html> {
  const {
    words: { webhooks: say },
    base,
  } = context;
  return html`${await guideView(context, { connection, secret: `whsec_${say.codeSecret}` })}<h2>${say.secretTitle}</h2>
<p>${say.secretHidden}</p>
<form method="post" action="${base}/webhooks"><input type="hidden" name="act" value="secret"><p class="verbs"><button>${say.fresh}</button></p></form>
`;
}
