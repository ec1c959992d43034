import { movedStore, notOurStore } from '../../../operations/connections/decide-host.ts';
import { type ListedDelivery, listDeliveries, refusalWords } from '../../../operations/connections/store-webhooks.ts';
import { nameAtService } from '../../../operations/onboarding/choose-shop.ts';
import { type Invitation, listInvitations } from '../../../operations/onboarding/invitations.ts';
import { may, type Right } from '../../../operations/people/rights.ts';
import { Refusal } from '../../../operations/refusal.ts';
import { showSubscriptions } from '../../../operations/subscriptions/show-subscriptions.ts';
import { mustBeSeen } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { type Form, idOf, type Page, type PageContext, type PageReply } from '../../base/page.ts';
import { chips } from '../../frame/chips.ts';
import { copyable, listAddress, live, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { storeChart } from '../count-charts.ts';
import { linkNames, linkVerbs } from '../invitations.ts';
import { webhookTable } from '../webhooks/webhook-table.ts';
import { healthView } from './health-view.ts';
import { addressOf, type ShownStore, storeOf } from './store-parts.ts';
import { listTasks } from './tasks/shown-task.ts';
import { tasksPart } from './tasks/tasks-part.ts';

const DELIVERIES = 30;
const TASKS = 5;

/** `GET /console/stores/ID`: one store, what is right and wrong of it, and its last webhooks. */
export const storePage: Page = {
  path: '/stores/:id',
  right: 'stores.see',
  async get(context) {
    const { deps, words } = context;
    const store = await storeOf(context);
    const onlyRefused = context.req.query['refused'] === '1';
    const [deliveries, tasks, chart, shop] = await Promise.all([
      listDeliveries(deps, { id: store.connectionId, refused: onlyRefused, limit: DELIVERIES }),
      listTasks(deps, store.connectionId, TASKS),
      storeChart(context, store.connectionId),
      nameAtService(deps, store.shop),
    ]);
    const is = (right: Right) => may(context.person.role, right);
    const rights = { mayDecide: is('orders.decide'), maySet: is('settings.change'), mayChange: is('stores.change') };
    const why = store.refusedCode === null ? null : refusalWords(store.refusedCode, words.lang);
    const health = live('health', healthView({ store, ...rights, why, now: deps.now(), words }));
    const ofMerchant = rights.mayChange ? await listInvitations(deps, { connection: store.connectionId }) : [];
    const webhooks = live('deliveries', deliveriesView({ store, deliveries, onlyRefused, words }));
    return {
      title: store.name,
      place: 'stores',
      body: html`<p><a href="/console/stores">${words.store.back}</a></p>
<div class="columns"><div>${health}</div><div>${about(store, shop ?? '', words)}${changes(store, context)}${merchantLinks(ofMerchant, words)}${live('tasks', tasksPart(store, tasks, context))}</div></div>
${live('counts', chart)}
${webhooks}`,
    };
  },
};

function about(store: ShownStore, shop: string, words: Words): Html {
  const { about: say } = words.store;
  const facts: [string, Html][] = [
    [say.platform, html`${store.platform}`],
    [say.store, html`${store.store ?? say.unnamed}`],
    [say.shop, html`${shop} ${copyable(store.shop)}`],
    [say.address, copyable(store.webhookUrl)],
    [say.since, when(store.connectedAt, words, 'dated')],
    ...(store.disconnectedAt === null ? [] : [[say.until, when(store.disconnectedAt, words, 'dated')] satisfies [string, Html]]),
    ...(store.trialSince === null ? [[say.from, when(store.recordFrom, words, 'dated')] satisfies [string, Html]] : []),
    ...(store.trialSince === null ? [] : [[say.trial, when(store.trialSince, words, 'dated')] satisfies [string, Html]]),
  ];
  return html`<dl class="facts about">${lines(facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`))}</dl>
`;
}

function changes(store: ShownStore, { person, words }: PageContext): Html {
  const { verbs: say, disconnect } = words.store;
  if (store.state === 'disconnected')
    return store.remains.length === 0
      ? nothing
      : html`<h2>${disconnect.remains}</h2>
<ul>${lines(store.remains.map((one) => html`<li>${one[words.lang]}</li>`))}</ul>
`;
  const ways: [Right, string, string][] = [
    ['settings.change', 'settings', say.settings],
    ['stores.change', 'secret', say.secret],
    ['stores.change', 'keys', say.keys],
    ['stores.change', 'disconnect', say.disconnect],
  ];
  const mine = ways.filter(([right]) => may(person.role, right));
  if (mine.length === 0) return nothing;
  return html`<h2>${say.title}</h2>
<p class="verbs">${mine.map(([, path, name]) => html`<a class="verb second" href="${addressOf(store)}/${path}">${name}</a>`)}</p>
`;
}

const LONGEST_MS = 60_000;

/** `POST /console/stores/ID/webhooks`: what of its webhooks does not work is made anew, or they are only looked at. */
export const storeWebhooksPage: Page = { path: '/stores/:id/webhooks', right: 'stores.see', post: { right: 'orders.decide', act: webhooks } };

async function webhooks(context: PageContext, form: Form): Promise<PageReply> {
  const { pool, connections, stores } = context.deps;
  const repair = form.text('what') === 'repair';
  const deps = { pool, connections, watch: stores.watch, storefronts: stores.storefronts };
  const id = idOf(context);
  const { problems, stopped } = await showSubscriptions(deps, { id, repair, by: context.by, signal: AbortSignal.timeout(LONGEST_MS) });
  const isWell = problems.length === 0 && stopped === null;
  const done = isWell ? (repair ? 'webhooksRepaired' : 'webhooksWell') : repair ? 'webhooksNotRepaired' : 'webhooksBroken';
  return { goTo: `/console/stores/${encodeURIComponent(id)}`, done };
}

/** `POST /console/stores/ID/host`: whose a host is that webhooks name. */
export const hostPage: Page = { path: '/stores/:id/host', right: 'stores.see', post: { right: 'stores.change', act: judgeHost } };

async function judgeHost(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, by, words } = context;
  const store = await storeOf(context);
  const [host, ownership] = [form.text('host'), form.text('ownership')];
  const found = store.hosts.find((one) => one.host === host);
  if (found === undefined)
    throw new Refusal('missing', { en: `webhooks of this store do not name the host ${host}`, bg: `известията на този магазин не назовават хоста ${host}` });
  const say = words.store.health;
  const said = { quarantined: say.quarantined(host), ours: say.ours, 'not-ours': say.notOurs };
  mustBeSeen(form, found.ownership, { sent: said.quarantined, now: said[found.ownership] });
  const judging = { id: store.connectionId, host };
  if (ownership === 'ours') {
    const given = { fetchJson: deps.stores.fetchJson, trustedHttpHosts: deps.config.trustedHttpHosts };
    const { api } = await movedStore({ ...deps, ...given, by }, judging);
    return { goTo: addressOf(store), done: api?.works === false ? 'hostOursNoApi' : 'hostOurs' };
  }
  if (ownership !== 'not-ours') throw new Refusal('invalid', { en: 'the form does not say whose the host is', bg: 'формулярът не казва чий е хостът' });
  await notOurStore({ ...deps, by }, judging);
  return { goTo: addressOf(store), done: 'hostNotOurs' };
}

type DeliveriesView = { store: ShownStore; deliveries: readonly ListedDelivery[]; onlyRefused: boolean; words: Words };

/** The last webhooks of a store; of refused ones why. */
function deliveriesView({ store, deliveries, onlyRefused, words }: DeliveriesView): Html {
  const { deliveries: say } = words.store;
  const base = addressOf(store);
  const none = html`<p class="soft">${onlyRefused ? say.noneRefused : say.none}</p>\n`;
  return html`<h2 id="webhooks">${say.title}</h2>
${chips([
  { to: `${base}#webhooks`, name: say.all, isOn: !onlyRefused },
  { to: `${base}?refused=1#webhooks`, name: say.onlyRefused, isOn: onlyRefused },
])}${deliveries.length === 0 ? none : webhookTable({ caption: say.title, webhooks: deliveries }, words)}<p class="soft">${say.hint} <a href="${listAddress('webhooks', { store: store.connectionId })}">${words.webhooks.all}</a></p>
`;
}

/** The links of the merchants who connected a store. */
function merchantLinks(invitations: readonly Invitation[], words: Words): Html {
  const own = invitations.filter(({ state }) => state !== 'revoked');
  if (own.length === 0) return nothing;
  const { invitations: say } = words;
  const one = (invitation: Invitation) =>
    html`<li><span>${invitation.email ?? say.unnamed}: ${invitation.links.length === 0 ? say.ofStoreNone : linkNames(invitation, words)}</span>${linkVerbs(invitation, words)}</li>`;
  return html`<h2>${say.ofStore}</h2>
<ul class="reasons">
${lines(own.map(one))}</ul>
`;
}
