import type { UnreadableWebhook } from '../../../operations/desk/waiting-webhooks.ts';
import type { KeptWebhook } from '../../../operations/orders/kept-webhook.ts';
import { may } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { problemWords } from '../../../operations/words/problem-words.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { field, seen, table, when } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

export function webhookList(webhooks: readonly UnreadableWebhook[], words: Words): Html {
  const { back, webhooks: said } = words.review;
  const { arrived, store, topic, why, verb } = said.columns;
  const rows = webhooks.map((webhook) => webhookRow(webhook, words));
  const list = table({ caption: said.title, columns: [arrived, store, topic, why, verb].map((name) => ({ name })), rows });
  return html`<p><a href="/console/review">${back}</a></p>
${rows.length === 0 ? html`<p class="banner ok">${said.empty}</p>` : html`<p>${said.lead}</p>\n${list}`}`;
}

function webhookRow({ id, arrivedAt, storeName, topic, detail, code }: UnreadableWebhook, words: Words): Html[] {
  const path = `/console/review/webhooks/${id}`;
  return [
    html`<a href="${path}">${when(arrivedAt, words)}</a>`,
    html`${storeName}`,
    topic === '' ? html`${words.frame.none}` : html`<code>${topic}</code>`,
    html`${code === null ? (detail ?? words.frame.none) : problemWords({ code, detail: detail ?? '' }, words.lang)}`,
    html`<a class="verb second" href="${path}">${words.review.webhooks.open}</a>`,
  ];
}

/** `body`: what he asked to see. `problem`: of the note. */
export type ShownWebhook = { webhook: KeptWebhook; person: Person; body?: Buffer; problem?: string };

export function webhookView({ webhook, person, body, problem }: ShownWebhook, words: Words): Html {
  const { webhooks: said, back } = words.review;
  const isOpen = webhook.outcome === 'review' && may(person.role, 'orders.decide');
  return html`<p><a href="/console/review/webhooks">${said.title}</a> · <a href="/console/review">${back}</a></p>
${facts(webhook, words)}
${body === undefined ? nothing : html`<h2>${said.bodyTitle}</h2><pre>${textOf(body) ?? said.notText}</pre>`}
${webhook.kept && body === undefined && may(person.role, 'buyers.see') ? bodyForm(webhook, words) : nothing}
${isOpen ? verbForms(webhook, words, problem) : nothing}`;
}

function facts({ id, arrivedAt, storeName, topic, detail, code, outcome, kept, orderRef }: KeptWebhook, words: Words): Html {
  const { facts: names, kept: isKept, gone, outcomes } = words.review.webhooks;
  return html`<dl class="facts"><dt>${names.arrived}</dt><dd>${when(arrivedAt, words)}</dd><dt>${names.store}</dt><dd>${storeName}</dd>
<dt>${names.topic}</dt><dd>${topic === '' ? words.frame.none : html`<code>${topic}</code>`}</dd><dt>${names.words}</dt><dd>${code === null ? words.frame.none : words.lang === 'en' ? (detail ?? code) : problemWords({ code, detail: detail ?? '' }, words.lang)}${words.lang === 'en' || detail === null ? nothing : html` <span class="soft" lang="en">${detail}</span>`}</dd>
<dt>${names.state}</dt><dd>${outcomes[outcome] ?? outcome}</dd><dt>${names.body}</dt><dd>${kept ? isKept : gone}</dd><dt>${names.id}</dt><dd><code>${id}</code></dd></dl>
${orderRef === null ? nothing : html`<p><a href="/console/orders/${orderRef}">${words.runs.order}</a></p>`}`;
}

function bodyForm({ id }: KeptWebhook, { review: { webhooks } }: Words): Html {
  return html`<form method="post" action="/console/review/webhooks/${id}"><input type="hidden" name="verb" value="body"><p class="soft">${webhooks.showLead}</p>
<div class="verbs"><button class="second">${webhooks.show}</button></div></form>`;
}

function verbForms({ id, outcome, kept }: KeptWebhook, { review: { webhooks } }: Words, problem: string | undefined): Html {
  const path = `/console/review/webhooks/${id}`;
  const replay = html`<form method="post" class="card desk" action="${path}"><input type="hidden" name="verb" value="replay">${seen(outcome)}
<p>${webhooks.replayLead}</p><div class="verbs"><button data-key="r">${webhooks.replay}</button></div></form>`;
  return html`${kept ? replay : nothing}
<form method="post" class="card desk" action="${path}"><input type="hidden" name="verb" value="dismiss">${seen(outcome)}
<p>${webhooks.dismissLead}</p>${field({ name: 'why', label: webhooks.note, required: true, ...(problem === undefined ? {} : { problem }) })}
<div class="verbs"><button class="second">${webhooks.dismiss}</button></div></form>`;
}

/** Null: it is no text. */
function textOf(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return null;
  }
}
