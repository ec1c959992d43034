import type { Connection } from '../../../bridge/connections/connection.ts';
import type { LookProblem } from '../../../bridge/storefronts/onboarding.ts';
import { live, when } from '../../../console/frame/parts.ts';
import type { Said } from '../../../contract/said.ts';
import { type Heard, heardOf } from '../../../operations/onboarding/heard-of-store.ts';
import { areLookedAfter, type Made, type Touched } from '../../../operations/onboarding/make-webhooks.ts';
import { onboardingOf } from '../../../operations/onboarding/store-means.ts';
import { foundStore } from '../../../operations/onboarding/store-progress.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { ConnectReply, Visit } from '../../base/connect-page.ts';
import type { Words } from '../../words/words.ts';
import { problemView } from '../store/problem-view.ts';
import { guideView } from './secret-view.ts';

type Watched = { connection: Connection; made: Exclude<Made, { kind: 'busy' }> | null; touched: Touched | null };

const LOOK_SECONDS = 5;

/** What the store has sent by now; the page looks again by itself until something good came, and until the step is done. */
export async function watchView(visit: Visit, { connection, made, touched }: Watched): Promise<ConnectReply> {
  const { deps, words, onboarding, req } = visit;
  const { webhooks: say } = words;
  const store = foundStore(onboarding);
  const heard = await heardOf(deps, connection);
  const isDone = onboarding.done.includes('webhooks') || (made?.kind === 'made' && made.missing.length === 0);
  const body = html`${madeView(visit, made)}${touchedView(visit, touched)}<h2>${say.first}</h2>
${live('first', heardView(words, { heard, waits: waitsFor(visit) }))}
${live('on', isDone ? doneView(visit) : await openView(visit, { connection, made }))}${heard.good === null ? touchForm(visit, connection) : nothing}${store?.mayWrite === true ? nothing : await byHand(visit, connection)}`;
  const isAsked = req.method === 'GET' && (heard.good === null || !isDone);
  return { title: say.title, body, ...(isAsked ? { refreshPlainly: LOOK_SECONDS } : {}) };
}

/** Until there is a message: a store whose orders nobody can save as they are sends its first one with a change. */
function waitsFor({ words: { webhooks: say }, onboarding }: Visit): string {
  if (foundStore(onboarding) === null) return say.waitsOwn;
  return onboardingOf(onboarding.platform)?.touch === undefined ? say.waitsChange : say.waits;
}

function doneView(visit: Visit): Html {
  const isMadeByUs = foundStore(visit.onboarding)?.mayWrite === true;
  return html`${visit.scope.kind === 'all' ? wayOn(visit) : nothing}${isMadeByUs ? pressed(visit, 'check', visit.words.webhooks.check) : nothing}`;
}

/** Another press of his may be making them. */
async function openView(visit: Visit, { connection, made }: Pick<Watched, 'connection' | 'made'>): Promise<Html> {
  const { webhooks: say } = visit.words;
  if (await areLookedAfter(visit.deps, connection)) return html`<p role="status">${say.making}</p>\n`;
  return html`${made === null ? html`<p>${say.notMade}</p>\n` : nothing}${pressed(visit, 'make', say.again)}`;
}

function madeView(visit: Visit, made: Watched['made']): Html {
  const { webhooks: say } = visit.words;
  if (made === null) return nothing;
  if (made.kind === 'failed') return failedView(visit, say.failed, made);
  if (made.missing.length > 0) {
    return html`<div class="banner failing" role="alert"><h2>${say.failed}</h2><p>${say.missing(made.missing.join(', '))}</p></div>\n`;
  }
  return html`<p>${say.made(made.webhooks.length)}</p>\n`;
}

function failedView({ words, onboarding }: Visit, title: string, { words: said, problem }: { words: Said; problem: LookProblem | null }): Html {
  if (problem !== null) return problemView(words, { title, platform: onboarding.platform, problem });
  return html`<div class="banner failing" role="alert"><h2>${title}</h2><p>${said[words.lang]}</p></div>\n`;
}

function touchedView(visit: Visit, touched: Touched | null): Html {
  const { webhooks: say } = visit.words;
  if (touched === null) return nothing;
  if (touched.kind === 'refused') return failedView(visit, say.touch, touched);
  return html`<p role="status">${touched.kind === 'none' ? say.noOrder : say.touched}</p>\n`;
}

function heardView(words: Words, { heard: { good, bad }, waits }: { heard: Heard; waits: string }): Html {
  const { webhooks: say } = words;
  const came =
    good === null
      ? html`<p><span class="tag quiet">…</span> ${waits}</p>`
      : html`<p><span class="tag ok">✓</span> ${say.came}: ${when(good.at, words)}${good.order === null ? nothing : html`, ${say.order(good.order)}`}</p>`;
  return bad === null ? came : html`${came}${badView(words, bad)}`;
}

function badView(words: Words, { at, code, detail }: NonNullable<Heard['bad']>): Html {
  const { webhooks: say } = words;
  const parts = detail?.split('\n') ?? [];
  return html`<div class="banner failing" role="alert"><h3>${say.bad}: ${when(at, words)}</h3><p>${say.refused[code] ?? say.refusedOther(code)}</p>
${parts.length === 0 ? nothing : html`<ul>${lines(parts.map((part) => html`<li>${part}</li>`))}</ul>`}</div>`;
}

function wayOn({ base, words }: Visit): Html {
  return html`<p class="verbs"><a class="verb" href="${base}/mapping">${words.webhooks.next}</a></p>
`;
}

function pressed({ base }: Visit, act: 'make' | 'check', verb: string): Html {
  return html`<form method="post" action="${base}/webhooks"><input type="hidden" name="act" value="${act}"><p class="verbs"><button${attributes({ class: act === 'check' ? 'plain' : null })}>${verb}</button></p></form>
`;
}

function touchForm({ base, words, onboarding }: Visit, { platform }: Connection): Html {
  if (foundStore(onboarding)?.mayWrite !== true || onboardingOf(platform)?.touch === undefined) return nothing;
  const { webhooks: say } = words;
  return html`<form method="post" action="${base}/webhooks"><input type="hidden" name="act" value="touch">
<p class="verbs"><button>${say.touch}</button></p><p class="hint">${say.agreeHint}</p></form>
`;
}

async function byHand(visit: Visit, connection: Connection): Promise<Html> {
  const {
    words: { webhooks: say },
    base,
  } = visit;
  return html`${await guideView(visit, { connection, secret: `whsec_${say.codeSecret}` })}<h2>${say.secretTitle}</h2>
<p>${say.secretHidden}</p>
<form method="post" action="${base}/webhooks"><input type="hidden" name="act" value="secret"><p class="verbs"><button>${say.fresh}</button></p></form>
`;
}
