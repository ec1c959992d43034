import type { Connection } from '../../../bridge/connections/connection.ts';
import { deliveriesInReview, type KeptDelivery, type QuarantinedHost, quarantinedHosts } from '../../../bridge/ledger/deliveries/delivery-store.ts';
import { movedStore, notOurStore } from '../../../operations/connections/decide-host.ts';
import { storeNames } from '../../../operations/connections/known-connection.ts';
import { may } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import type { SeenShops } from '../../../operations/review/issue-group.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { button, formTo, mustBeSeen, Stale } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { type Columns, table } from '../../../web/tables.ts';
import type { Page } from '../../base/page.ts';
import { live, problemText, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';

/** `GET /console/review/webhooks`: those that can't be read. */
export const webhooksPage: Page = {
  path: '/review/webhooks',
  right: 'orders.see',
  async get({ deps, words, person }) {
    const webhooks = await unreadableWebhooks(deps, { shops: person.shops });
    return { title: words.review.webhooks.title, place: 'review', body: live('webhooks', webhookList(webhooks, words)) };
  },
};

function webhookList(webhooks: readonly UnreadableWebhook[], words: Words): Html {
  const { back, webhooks: said } = words.review;
  const list = table({ caption: said.title, columns: columnsIn(words), rows: webhooks });
  return html`<p><a href="/console/review">${back}</a></p>
${webhooks.length === 0 ? html`<p class="banner ok">${said.empty}</p>` : html`<p>${said.lead}</p>\n${list}`}`;
}

function columnsIn(words: Words): Columns<UnreadableWebhook> {
  const { columns: w, open } = words.review.webhooks;
  const path = (id: string) => `/console/webhooks/${id}`;
  const why = ({ code, detail }: UnreadableWebhook) => (code === null ? (detail ?? words.frame.none) : problemText({ code, detail: detail ?? '' }, words.lang));
  return [
    { name: w.arrived, cell: ({ id, arrivedAt }) => html`<a href="${path(id)}">${when(arrivedAt, words)}</a>` },
    { name: w.store, cell: ({ storeName }) => storeName },
    { name: w.topic, cell: ({ topic }) => (topic === '' ? words.frame.none : html`<code>${topic}</code>`) },
    { name: w.why, cell: why },
    { name: w.verb, cell: ({ id }) => html`<a class="verb second" href="${path(id)}">${open}</a>` },
  ];
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

function ofShops<T extends { connectionId: string }>(some: readonly T[], all: readonly Connection[], { shops }: SeenShops): (T & { storeName: string })[] {
  const nameOf = storeNames(all);
  const seen = new Set(all.filter(({ shopId }) => shops === null || shops.includes(shopId)).map(({ id }) => id));
  return some.filter(({ connectionId }) => seen.has(connectionId)).map((one) => ({ ...one, storeName: nameOf(one.connectionId) }));
}
