import type { Connection } from '../../../bridge/connections/connection.ts';
import { deliveriesInReview, type KeptDelivery, type QuarantinedHost, quarantinedHosts } from '../../../bridge/ledger/deliveries/delivery-store.ts';
import { movedStore, notOurStore } from '../../../operations/connections/decide-host.ts';
import { storeNames } from '../../../operations/connections/known-connection.ts';
import { deliveryBody, dismissDelivery, type KeptWebhook, replayDelivery, showDelivery } from '../../../operations/orders/kept-webhook.ts';
import { may } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { Refusal } from '../../../operations/refusal.ts';
import type { SeenShops } from '../../../operations/review/issue-group.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { button, field, formTo, mustBeSeen, Stale } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { type Columns, table } from '../../../web/tables.ts';
import type { Form, Page, PageContext, PageReply, ShownPage } from '../../base/page.ts';
import { live, problemText, when } from '../../frame/parts.ts';
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

function shown({ words, person }: PageContext, webhook: KeptWebhook, more: { body?: Buffer; problem?: string } = {}): ShownPage {
  const body = webhookView({ webhook, person, ...more }, words);
  return { title: words.review.webhooks.one, place: 'review', body, ...(more.problem === undefined ? {} : { status: 422 }) };
}

async function replayed({ deps, by }: PageContext, { id }: KeptWebhook): Promise<PageReply> {
  const { ignored } = await replayDelivery({ ...deps, by }, id);
  return { goTo: LIST, done: ignored === null ? 'replayed' : 'replayed-ignored' };
}

async function dismissed(context: PageContext, webhook: KeptWebhook, form: Form): Promise<PageReply> {
  const why = form.text('why');
  if (why === '') return shown(context, webhook, { problem: context.words.review.webhooks.noteMissing });
  await dismissDelivery(context.deps, { id: webhook.id, by: context.by, why });
  return { goTo: LIST, done: 'dismissed' };
}

function webhookList(webhooks: readonly UnreadableWebhook[], words: Words): Html {
  const { back, webhooks: said } = words.review;
  const list = table({ caption: said.title, columns: columnsIn(words), rows: webhooks });
  return html`<p><a href="/console/review">${back}</a></p>
${webhooks.length === 0 ? html`<p class="banner ok">${said.empty}</p>` : html`<p>${said.lead}</p>\n${list}`}`;
}

function columnsIn(words: Words): Columns<UnreadableWebhook> {
  const { columns: w, open } = words.review.webhooks;
  const path = (id: string) => `/console/review/webhooks/${id}`;
  const why = ({ code, detail }: UnreadableWebhook) => (code === null ? (detail ?? words.frame.none) : problemText({ code, detail: detail ?? '' }, words.lang));
  return [
    { name: w.arrived, cell: ({ id, arrivedAt }) => html`<a href="${path(id)}">${when(arrivedAt, words)}</a>` },
    { name: w.store, cell: ({ storeName }) => storeName },
    { name: w.topic, cell: ({ topic }) => (topic === '' ? words.frame.none : html`<code>${topic}</code>`) },
    { name: w.why, cell: why },
    { name: w.verb, cell: ({ id }) => html`<a class="verb second" href="${path(id)}">${open}</a>` },
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
<dt>${names.topic}</dt><dd>${topic === '' ? words.frame.none : html`<code>${topic}</code>`}</dd><dt>${names.words}</dt><dd>${code === null ? words.frame.none : words.lang === 'en' ? (detail ?? code) : problemText({ code, detail: detail ?? '' }, words.lang)}${words.lang === 'en' || detail === null ? nothing : html` <span class="soft" lang="en">${detail}</span>`}</dd>
<dt>${names.state}</dt><dd>${outcomes[outcome] ?? outcome}</dd><dt>${names.body}</dt><dd>${kept ? isKept : gone}</dd><dt>${names.id}</dt><dd><code>${id}</code></dd></dl>
${orderRef === null ? nothing : html`<p><a href="/console/orders/${orderRef}">${words.bulkActions.order}</a></p>`}`;
}

function bodyForm({ id }: KeptWebhook, { review: { webhooks } }: Words): Html {
  const body = html`<p class="soft">${webhooks.showLead}</p>`;
  return formTo(`${LIST}/${id}`, { hidden: { verb: 'body' }, body, buttons: [button(webhooks.show, { class: 'second' })] });
}

function verbForms({ id, outcome, kept }: KeptWebhook, { review: { webhooks } }: Words, problem: string | undefined): Html {
  const form = (verb: string, body: Html, press: Html) =>
    formTo(`${LIST}/${id}`, { class: 'card issue', hidden: { verb }, seen: outcome, body, buttons: [press] });
  const why = html`<p>${webhooks.dismissLead}</p>${field({ name: 'why', label: webhooks.note, required: true, problem })}`;
  return html`${kept ? form('replay', html`<p>${webhooks.replayLead}</p>`, button(webhooks.replay, { 'data-key': 'r' })) : nothing}
${form('dismiss', why, button(webhooks.dismiss, { class: 'second' }))}`;
}

/** Null: it is no text. */
function textOf(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

const PATH = '/console/review/hosts';

/** `/console/review/hosts`: hosts that webhooks name, and of which nobody said whose they are. */
export const hostsPage: Page = {
  path: '/review/hosts',
  right: 'orders.see',
  async get({ deps, words, person }) {
    return { title: words.review.hosts.title, place: 'review', body: view(await unknownHosts(deps, { shops: person.shops }), words, person) };
  },
  post: {
    right: 'orders.decide',
    async act({ deps, words, person, by }, form) {
      const { ours, notOurs } = words.review.hosts;
      const isOurs = form.text('verb') === 'ours';
      const sent = isOurs ? ours : notOurs;
      const all = await unknownHosts(deps, { shops: person.shops });
      const quarantined = all.find(({ connectionId, host }) => connectionId === form.text('connection') && host === form.text('host'));
      if (quarantined === undefined) throw new Stale(sent, words.review.stale.gone);
      mustBeSeen(form, named(quarantined), { sent, now: quarantined.host });
      const judging = { id: quarantined.connectionId, host: quarantined.host };
      const goTo = all.length === 1 ? '/console/review' : PATH;
      if (!isOurs) {
        await notOurStore({ ...deps, by }, judging);
        return { goTo, done: 'host-not-ours' };
      }
      const given = { fetchJson: deps.stores.fetchJson, trustedHttpHosts: deps.config.trustedHttpHosts };
      const { api } = await movedStore({ ...deps, ...given, by }, judging);
      return api?.works === false ? { goTo: `/console/stores/${quarantined.connectionId}`, done: 'hostOursNoApi' } : { goTo, done: 'host-ours' };
    },
  },
};

function named({ connectionId, host }: UnknownHostRow): string[] {
  return [connectionId, host];
}

function view(hosts: readonly UnknownHostRow[], words: Words, person: Person): Html {
  const { review } = words;
  return html`<p><a href="/console/review">${review.back}</a></p>
${hosts.length === 0 ? html`<p class="banner ok">${review.hosts.empty}</p>` : html`<p>${review.hosts.lead}</p>`}
${lines(hosts.map((quarantined) => hostView(quarantined, words, person)))}`;
}

function hostView(quarantined: UnknownHostRow, words: Words, person: Person): Html {
  const { hosts, webhookCount } = words.review;
  const { facts } = hosts;
  return html`<section class="card issue"><h2>${quarantined.host}</h2>
<dl class="facts"><dt>${facts.store}</dt><dd>${quarantined.storeName}</dd><dt>${facts.quarantined}</dt><dd>${webhookCount(quarantined.deliveries)}</dd>
<dt>${facts.first}</dt><dd>${when(quarantined.firstAt, words)}</dd><dt>${facts.last}</dt><dd>${when(quarantined.lastAt, words)}</dd></dl>
${may(person.role, 'orders.decide') ? html`${form(quarantined, { verb: 'ours', button: hosts.ours, lead: hosts.oursLead })}${form(quarantined, { verb: 'not-ours', button: hosts.notOurs, lead: hosts.notOursLead })}` : nothing}
</section>`;
}

function form(quarantined: UnknownHostRow, { verb, button: press, lead }: { verb: string; button: string; lead: string }): Html {
  const { connectionId: connection, host } = quarantined;
  const body = html`<p class="soft">${lead}</p>`;
  return formTo(PATH, { hidden: { verb, connection, host }, seen: named(quarantined), body, buttons: [button(press, { class: 'second' })] });
}

type Deps = { pool: Pool; connections: { list(): Promise<Connection[]> } };

/** A webhook that can't be read, and a host of which nobody said whose it is, with the name of the connection's store. */
export type UnreadableWebhook = KeptDelivery & { storeName: string };
export type UnknownHostRow = QuarantinedHost & { storeName: string };

export async function unreadableWebhooks({ pool, connections }: Deps, seen: SeenShops): Promise<UnreadableWebhook[]> {
  return ofShops(await deliveriesInReview(pool), await connections.list(), seen);
}

export async function unknownHosts({ pool, connections }: Deps, seen: SeenShops): Promise<UnknownHostRow[]> {
  return ofShops(await quarantinedHosts(pool), await connections.list(), seen);
}

/** Is the connection one of these shops'? */
async function isOfShops({ connections }: Pick<Deps, 'connections'>, connectionId: string, { shops }: SeenShops): Promise<boolean> {
  return shops === null || (await connections.list()).some(({ id, shopId }) => id === connectionId && shops.includes(shopId));
}

function ofShops<T extends { connectionId: string }>(some: readonly T[], all: readonly Connection[], { shops }: SeenShops): (T & { storeName: string })[] {
  const nameOf = storeNames(all);
  const seen = new Set(all.filter(({ shopId }) => shops === null || shops.includes(shopId)).map(({ id }) => id));
  return some.filter(({ connectionId }) => seen.has(connectionId)).map((one) => ({ ...one, storeName: nameOf(one.connectionId) }));
}
