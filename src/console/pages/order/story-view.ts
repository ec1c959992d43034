import { instantText } from '../../../contract/local-text.ts';
import type { Happened } from '../../../operations/order-detail/order-detail.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { coded, problemText } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { whoWords } from './sentence.ts';

const READ_FROM_STORE = 'reconcile';
const GOOD = new Set(['recorded', 'deleted', 'gone', 'receipt-got', 'by-hand']);

/** What happened to an order, in one line of time. */
export function storyView(happened: readonly Happened[], words: Words): Html {
  if (happened.length === 0) return html`<p class="soft">${words.order.nothingHappened}</p>`;
  return html`<ol class="timeline">
${lines(happened.map((one) => entry(one, words)))}</ol>`;
}

function entry(one: Happened, words: Words): Html {
  switch (one.is) {
    case 'webhook':
      return webhook(one, words);
    case 'request':
      return request(one, words);
    case 'outbox-job':
      return outboxJob(one, words);
    case 'act':
      return act(one, words);
  }
}

function item({ tone, at, what, more }: { tone: '' | 'ok' | 'failing' | 'attention'; at: string; what: string; more: Html }, words: Words): Html {
  return html`<li class="${tone}">${clock(at, words)} <strong>${coded(what)}</strong>${more}</li>`;
}

type Of<Is extends Happened['is']> = Extract<Happened, { is: Is }>;

function webhook({ at, delivery }: Of<'webhook'>, words: Words): Html {
  const { event } = words.order;
  const { topic, outcome, detail, code, id, cut } = delivery;
  const what = topic === READ_FROM_STORE ? event.read : event.webhook(topic);
  const more = html` <span class="soft">${event.outcomes[outcome] ?? outcome}${detail === null ? '' : `: ${code === null ? detail : problemText({ code, detail }, words.lang)}`}${cut ? ` (${event.cut})` : ''}</span> <a href="/console/webhooks/${id}">${event.look}</a>`;
  return item({ tone: outcome === 'review' ? 'failing' : '', at, what, more }, words);
}

function request({ at, request: one }: Of<'request'>, words: Words): Html {
  const { event } = words.order;
  const { kind, outcome, attempts } = one;
  const end = outcome === null ? event.noAnswer : (event.ends[outcome] ?? outcome);
  const tone = outcome === null ? 'attention' : GOOD.has(outcome) ? 'ok' : 'failing';
  const tries = attempts > 1 ? html` <span class="soft">${event.tries(attempts)}</span>` : nothing;
  return item({ tone, at, what: `${event.kinds[kind]}: ${end}`, more: html`${tries}${requestDetails(one, words)}` }, words);
}

function outboxJob({ at, outboxJob: { kind, problem, detail } }: Of<'outbox-job'>, words: Words): Html {
  const { event } = words.order;
  const fails = problem === null ? '' : `${event.outboxJobFails[problem] ?? problem}${detail === null ? '' : `: ${detail}`}`;
  return item({ tone: problem === null ? '' : 'attention', at, what: event.outboxJobs[kind] ?? kind, more: html` <span class="soft">${fails}</span>` }, words);
}

const ASKS = new Set(['order.needs-review', 'order.unconfirmed']);

function act({ at, act: one, name }: Of<'act'>, words: Words): Html {
  const { event } = words.order;
  const { act: key, means, bg, who, why } = one;
  const by = event.by(whoWords({ who, name }, words));
  const more = html` <span class="soft">${by}${why === null ? '' : `: ${event.because(why)}`}</span>${detailOf(one.after, words)}`;
  return item({ tone: ASKS.has(key) ? 'attention' : '', at, what: words.lang === 'bg' ? bg : means, more }, words);
}

/** The program's own words of why it asks. */
function detailOf(after: unknown, { lang }: Words): Html {
  if (after === null || typeof after !== 'object' || !('detail' in after) || typeof after.detail !== 'string' || after.detail === '') return nothing;
  const code = 'code' in after && typeof after.code === 'string' ? after.code : '';
  return html`<br><span>${problemText({ code, detail: after.detail }, lang)}</span>`;
}

/** What was sent, without the buyer, and what came back; folded. */
function requestDetails({ record, status, detail, complianceId, at, endedAt }: Extract<Happened, { is: 'request' }>['request'], words: Words): Html {
  const { event } = words.order;
  const fact = (name: string, value: Html | null) => (value === null ? nothing : html`<dt>${name}</dt><dd>${value}</dd>\n`);
  const text = (value: string | number | null) => (value === null || value === '' ? null : html`${value}`);
  return html`<details><summary>${event.request}</summary>
<dl class="facts">${fact(event.began, clock(at, words))}${fact(event.ended, endedAt === null ? null : clock(endedAt, words))}${fact(event.status, text(status))}${fact(event.answer, text(detail))}${fact(event.complianceId, text(complianceId))}</dl>
${record === null ? nothing : html`<p class="soft">${event.sent}</p><pre>${JSON.stringify(record, null, 2)}</pre>`}</details>`;
}

/** An instant to the second, as people of Sofia read it: what follows what is seen in a line of time. */
export function clockText(instant: string, { lang }: Words): string {
  return instantText(instant, lang, 'second');
}

export function clock(instant: string, words: Words): Html {
  return html`<time datetime="${new Date(instant).toISOString()}">${clockText(instant, words)}</time>`;
}
