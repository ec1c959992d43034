import { deliveryBody, dismissDelivery, type KeptWebhook, replayDelivery, showDelivery } from '../../../operations/orders/kept-webhook.ts';
import { may } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { Refusal } from '../../../operations/refusal.ts';
import { isOfShops, type UnreadableWebhook, unreadableWebhooks } from '../../../operations/review/waiting-webhooks.ts';
import { problemWords } from '../../../operations/words/code-words.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { Form, Page, PageContext, Reply, Shown } from '../../base/page.ts';
import { field, live, seen, table, when } from '../../frame/parts.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import type { Words } from '../../messages/messages.ts';

const LIST = '/console/review/webhooks';

/** `GET /console/review/webhooks`: those that can't be read. */
export const webhooksPage: Page = {
  path: '/review/webhooks',
  right: 'orders.see',
  async get({ deps, words, person }) {
    const webhooks = await unreadableWebhooks(deps, { shops: person.shops });
    return { title: words.review.webhooks.title, place: 'review', body: live('webhooks', webhookList(webhooks, words)) };
  },
};

/** `/console/review/webhooks/ID`: one of them, and what can be done about it. */
export const webhookPage: Page = {
  path: '/review/webhooks/:id',
  right: 'orders.see',
  get: async (context) => shown(context, await webhookOf(context)),
  post: {
    right: 'orders.decide',
    async act(context, form) {
      const webhook = await webhookOf(context);
      const verb = form.text('verb');
      if (verb === 'body' && may(context.person.role, 'buyers.see')) {
        const body = await deliveryBody(context.deps, { id: webhook.id, by: context.by });
        return shown(context, webhook, { body });
      }
      const { outcomes, replay, dismiss } = context.words.review.webhooks;
      const now = outcomes[webhook.outcome] ?? webhook.outcome;
      mustBeSeen(form, webhook.outcome, { sent: verb === 'replay' ? replay : dismiss, now });
      return verb === 'replay' ? replayed(context, webhook) : dismissed(context, webhook, form);
    },
  },
};

async function webhookOf({ deps, person, req }: PageContext): Promise<KeptWebhook> {
  const webhook = await showDelivery(deps, String(req.params['id']));
  if (await isOfShops(deps, webhook.connectionId, { shops: person.shops })) return webhook;
  throw new Refusal('missing', { en: `no delivery has the id ${webhook.id}`, bg: `няма известие с идентификатор ${webhook.id}` });
}

type More = { body?: Buffer; problem?: string };

function shown({ words, person }: PageContext, webhook: KeptWebhook, more: More = {}): Shown {
  const body = webhookView({ webhook, person, ...more }, words);
  return { title: words.review.webhooks.one, place: 'review', body, ...(more.problem === undefined ? {} : { status: 422 }) };
}

async function replayed({ deps, by }: PageContext, { id }: KeptWebhook): Promise<Reply> {
  const { ignored } = await replayDelivery({ ...deps, by }, id);
  return { goTo: LIST, done: ignored === null ? 'replayed' : 'replayed-ignored' };
}

async function dismissed(context: PageContext, webhook: KeptWebhook, form: Form): Promise<Reply> {
  const why = form.text('why');
  if (why === '') return shown(context, webhook, { problem: context.words.review.webhooks.noteMissing });
  await dismissDelivery(context.deps, { id: webhook.id, by: context.by, why });
  return { goTo: LIST, done: 'dismissed' };
}

function webhookList(webhooks: readonly UnreadableWebhook[], words: Words): Html {
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

/** `body`: what they asked to see. `problem`: of the note. */
type ShownWebhook = { webhook: KeptWebhook; person: Person; body?: Buffer; problem?: string };

function webhookView({ webhook, person, body, problem }: ShownWebhook, words: Words): Html {
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
${orderRef === null ? nothing : html`<p><a href="/console/orders/${orderRef}">${words.bulkActions.order}</a></p>`}`;
}

function bodyForm({ id }: KeptWebhook, { review: { webhooks } }: Words): Html {
  return html`<form method="post" action="/console/review/webhooks/${id}"><input type="hidden" name="verb" value="body"><p class="soft">${webhooks.showLead}</p>
<div class="verbs"><button class="second">${webhooks.show}</button></div></form>`;
}

function verbForms({ id, outcome, kept }: KeptWebhook, { review: { webhooks } }: Words, problem: string | undefined): Html {
  const path = `/console/review/webhooks/${id}`;
  const replay = html`<form method="post" class="card issue" action="${path}"><input type="hidden" name="verb" value="replay">${seen(outcome)}
<p>${webhooks.replayLead}</p><div class="verbs"><button data-key="r">${webhooks.replay}</button></div></form>`;
  return html`${kept ? replay : nothing}
<form method="post" class="card issue" action="${path}"><input type="hidden" name="verb" value="dismiss">${seen(outcome)}
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
