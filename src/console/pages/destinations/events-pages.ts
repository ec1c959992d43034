import { type ListedEndpoint, listEndpoints } from '../../../bridge/ledger/events/endpoint-store.ts';
import { type ListedEvent, listEvents } from '../../../bridge/ledger/events/event-store.ts';
import {
  addEndpoint,
  enableEndpoint,
  knownEndpoint,
  type MadeEndpoint,
  removeEndpoint,
  replayEvent,
  rotateEndpoint,
  seeEvent,
} from '../../../operations/events.ts';
import { type NamedShop, namedShops } from '../../../operations/people/people.ts';
import { may } from '../../../operations/people/rights.ts';
import { Refusal } from '../../../operations/refusal.ts';
import { button, field, formTo, tick } from '../../../web/forms.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { table } from '../../../web/tables.ts';
import { type Form, idOf, type Page, type PageContext, type PageReply, type ShownPage } from '../../base/page.ts';
import { live, namedOptions, tag, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { payloadTree } from '../webhooks/payload-tree.ts';

const HERE = '/console/destinations/events';
const SHOWN = 100;
const place = 'destinations' as const;

/** `GET, POST /console/destinations/events`: the programs of others that hear of orders and months. */
export const eventsPage: Page = {
  path: '/destinations/events',
  right: 'queues.see',
  async get({ deps, words, person }) {
    const [endpoints, shops, stores] = await Promise.all([listEndpoints(deps.pool), namedShops(deps), deps.connections.list()]);
    const list = endpoints.length === 0 ? html`<p>${words.events.none}</p>\n` : live('endpoints', endpointTable(endpoints, shops, words));
    const known = namedOptions(stores.filter(({ closedAt }) => closedAt === null));
    const form = may(person.role, 'stores.change') ? addForm(known, words) : nothing;
    const back = html`<p><a href="/console/destinations">${words.destinations.title}</a></p>\n`;
    return { title: words.events.title, place, body: html`${back}<p>${words.events.intro}</p>\n${list}${form}` };
  },
  post: { right: 'stores.change', act: add, asksAgain: true },
};

async function add({ deps, words, by }: PageContext, form: Form): Promise<PageReply> {
  const [connection, company] = [form.text('store'), form.text('company')];
  const of = { ...(connection === '' ? {} : { connection }), ...(company === '' ? {} : { company }) };
  return secretPage(await addEndpoint(deps, { url: form.text('url'), ...of, withBuyers: form.text('buyers') === 'yes', by }), words);
}

/** Not behind a redirect: what is shown once is in no address. */
function secretPage({ id, secret, oldUntil = null }: MadeEndpoint & { oldUntil?: string | null }, words: Words): ShownPage {
  const { events: say } = words;
  const body = html`<p><strong>${say.once}</strong></p>\n<pre class="secret">${secret}</pre>
${oldUntil === null ? nothing : html`<p>${say.oldUntil} ${when(oldUntil, words)}</p>\n`}<p class="verbs"><a class="verb" href="${HERE}/${id}">${say.list}</a></p>\n`;
  return { title: say.secretTitle, place, body };
}

function addForm(stores: readonly (readonly [string, string])[], { events: say }: Words): Html {
  const body = html`${field({ name: 'url', type: 'url', label: say.address, required: true, autocomplete: 'off' })}
${field({ name: 'store', label: say.store, options: stores, none: say.all })}
${field({ name: 'company', label: say.company, autocomplete: 'off' })}
${tick({ name: 'buyers', label: say.buyers })}`;
  return html`<details class="form"><summary>${say.add}</summary>\n${formTo(HERE, { body, buttons: [button(say.addVerb)] })}</details>\n`;
}

function endpointTable(endpoints: readonly ListedEndpoint[], shops: readonly NamedShop[], words: Words): Html {
  const { events: say } = words;
  return table({
    caption: say.title,
    opens: true,
    columns: [
      { name: say.address, cell: ({ id, url }) => html`<a href="${HERE}/${id}">${url}</a>` },
      { name: say.of, cell: (one) => html`${scopeOf(one, shops, words)}${one.withBuyers ? html`<br><span class="soft">${say.withBuyers}</span>` : nothing}` },
      { name: say.state, cell: (one) => stateTag(one, words) },
      { name: say.waiting, n: true, cell: ({ waiting }) => waiting },
      { name: say.delivered, cell: ({ deliveredAt }) => when(deliveredAt, words) },
    ],
    rows: endpoints,
  });
}

function scopeOf({ shopId, company }: ListedEndpoint, shops: readonly NamedShop[], { events: say }: Words): string {
  if (company !== null) return say.ofCompany(company);
  return shopId === null ? say.all : (shops.find(({ id }) => id === shopId)?.name ?? shopId);
}

function stateTag({ disabledAs, isFailing }: ListedEndpoint, { events: say }: Words): Html {
  if (disabledAs !== null) return tag(say.disabled[disabledAs], 'failing');
  return isFailing ? tag(say.failing, 'attention') : tag(say.works, 'ok');
}

/** `GET, POST /console/destinations/events/ID`: what one was sent last, and what an owner can do about it. */
export const endpointPage: Page = {
  path: '/destinations/events/:id',
  right: 'queues.see',
  async get(context) {
    const { deps, words, person } = context;
    const endpoint = await knownEndpoint(deps, idOf(context));
    const [events, shops] = await Promise.all([listEvents(deps.pool, endpoint.id, SHOWN), namedShops(deps)]);
    const { events: say } = words;
    const head = html`<p><a href="${HERE}">${say.title}</a></p>
<p>${scopeOf(endpoint, shops, words)} ${stateTag(endpoint, words)} ${endpoint.withBuyers ? say.withBuyers : nothing}</p>\n`;
    const verbs = may(person.role, 'stores.change') ? verbForms(endpoint, words) : nothing;
    const list = live('events', events.length === 0 ? html`<p>${say.noEvents}</p>\n` : eventTable(events, words));
    return { title: endpoint.url, place, body: html`${head}${verbs}<h2>${say.list}</h2>\n${list}` };
  },
  post: { right: 'stores.change', act: change, asksAgain: true },
};

async function change(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by } = context;
  const { id } = await knownEndpoint(deps, idOf(context));
  switch (form.text('verb')) {
    case 'rotate':
      return secretPage(await rotateEndpoint(deps, { id, revokeNow: form.text('leaked') === 'yes', by }), words);
    case 'enable':
      return { goTo: `${HERE}/${await enableEndpoint(deps, { id, by })}`, done: 'endpointEnabled' };
    case 'remove':
      await removeEndpoint(deps, { id, by });
      return { goTo: HERE, done: 'endpointRemoved' };
    default:
      throw new Refusal('invalid', { en: 'the form does not say what to do', bg: 'формулярът не казва какво да се направи' });
  }
}

function verbForms({ id, disabledAt }: ListedEndpoint, { events: say }: Words): Html {
  const press = (verb: string, label: string, body?: Html) =>
    formTo(`${HERE}/${id}`, { hidden: { verb }, ...(body === undefined ? {} : { body }), buttons: [button(label, { class: 'second' })] });
  return html`${disabledAt === null ? nothing : press('enable', say.enable)}${press('rotate', say.rotate, tick({ name: 'leaked', label: say.leaked }))}
${press('remove', say.remove, html`<p class="hint">${say.removeHint}</p>`)}`;
}

function eventTable(events: readonly ListedEvent[], words: Words): Html {
  const { events: say } = words;
  return table({
    caption: say.list,
    opens: true,
    columns: [
      { name: say.event, cell: ({ id, endpoint, type }) => html`<a href="${HERE}/${endpoint}/${id}"><code>${type}</code></a>` },
      { name: say.about, cell: aboutOf },
      { name: say.at, cell: ({ createdAt }) => when(createdAt, words, 'second') },
      { name: say.outcome, cell: (event) => outcomeTag(event, words) },
      { name: say.answer, cell: (event) => (event.attempts === 0 ? nothing : answerWords(event, words)) },
    ],
    rows: events,
  });
}

/** The number of its order, or its month. */
function aboutOf({ data: { order, month } }: ListedEvent): string {
  if (typeof order === 'object' && order !== null && 'number' in order) return String(order.number ?? ('id' in order ? order.id : ''));
  return typeof month === 'string' ? month : '';
}

function outcomeTag({ outcome }: ListedEvent, { events: say }: Words): Html {
  return tag(say.outcomes[outcome ?? 'waiting'], outcome === 'delivered' ? 'ok' : outcome === null ? 'quiet' : 'failing');
}

function answerWords({ status, tookMs }: ListedEvent, { events: say }: Words): string {
  return `${status ?? say.noAnswer} ${tookMs === null ? '' : say.took(tookMs)}`;
}

/** `GET, POST /console/destinations/events/ID/EVENT`: one event: what is sent, what was answered, and that it is sent again. */
export const eventPage: Page = {
  path: '/destinations/events/:id/:event',
  right: 'queues.see',
  async get(context) {
    const { deps, words, person, by } = context;
    const { events: say } = words;
    const [endpoint, event] = await Promise.all([knownEndpoint(deps, idOf(context)), seeEvent(deps, { id: eventIn(context), by })]);
    const { id, type, createdAt: timestamp, data } = event;
    const replay = may(person.role, 'orders.decide') ? formTo(`${HERE}/${endpoint.id}/${id}`, { buttons: [button(say.replay, { class: 'second' })] }) : nothing;
    const beside = event.hasBuyer ? html`<p class="soft">${say.buyerBeside}</p>\n` : nothing;
    const body = html`<p><a href="${HERE}/${endpoint.id}">${endpoint.url}</a></p>
${factsOf(event, words)}${replay}<h2>${say.payload}</h2>\n${beside}${payloadTree({ type, timestamp, data }, words)}
${event.answer === null || event.answer === '' ? nothing : html`<h2>${say.answer}</h2>\n<pre>${event.answer}</pre>\n`}`;
    return { title: type, place, body };
  },
  post: {
    right: 'orders.decide',
    async act(context) {
      const id = eventIn(context);
      return { goTo: `${HERE}/${await replayEvent(context.deps, { id, by: context.by })}/${id}`, done: 'eventReplayed' };
    },
  },
};

function eventIn({ req }: PageContext): string {
  return String(req.params['event']);
}

function factsOf(event: ListedEvent, words: Words): Html {
  const { events: say } = words;
  const { orderRef, sentAt, dueAt, attempts } = event;
  const sent = sentAt === null ? nothing : html`<dt>${say.sentAt}</dt><dd>${when(sentAt, words, 'second')}: ${answerWords(event, words)}</dd>\n`;
  return html`<dl class="facts">
<dt>${say.about}</dt><dd>${orderRef === null ? aboutOf(event) : html`<a href="/console/orders/${orderRef}">${aboutOf(event)}</a>`}</dd>
<dt>${say.at}</dt><dd>${when(event.createdAt, words, 'second')}</dd>
<dt>${say.outcome}</dt><dd>${outcomeTag(event, words)} ${say.attempts(attempts)}</dd>
${sent}${dueAt === null ? nothing : html`<dt>${say.next}</dt><dd>${when(dueAt, words, 'second')}</dd>\n`}</dl>
`;
}
