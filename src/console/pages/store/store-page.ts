import { listDeliveries } from '../../../operations/connections/list-deliveries.ts';
import { refusalWords } from '../../../operations/connections/refusal-words.ts';
import type { ShownStore } from '../../../operations/connections/show-store.ts';
import { listInvitations } from '../../../operations/onboarding/invitations.ts';
import { may, type Right } from '../../../operations/people/rights.ts';
import { listTasks } from '../../../operations/tasks/show-task.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { Page, PageContext } from '../../base/page.ts';
import { live, when } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';
import { deliveriesView } from './deliveries-view.ts';
import { healthView } from './health-view.ts';
import { merchantLinks } from './merchant-links.ts';
import { addressOf, storeOf } from './store-parts.ts';
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
    const [deliveries, tasks] = await Promise.all([
      listDeliveries(deps, { id: store.connectionId, refused: onlyRefused, limit: DELIVERIES }),
      listTasks(deps, store.connectionId, TASKS),
    ]);
    const is = (right: Right) => may(context.person.role, right);
    const rights = { mayDecide: is('orders.decide'), maySet: is('settings.change'), mayChange: is('stores.change') };
    const why = store.refusedCode === null ? null : refusalWords(store.refusedCode, words.lang);
    const health = live('health', healthView({ store, ...rights, why, now: deps.now(), words }));
    const ofMerchant = rights.mayChange ? (await listInvitations(deps)).filter(({ connectionId }) => connectionId === store.connectionId) : [];
    const webhooks = live('deliveries', deliveriesView({ base: addressOf(store), deliveries, onlyRefused, mayDecide: rights.mayDecide, words }));
    return {
      title: store.name,
      place: 'stores',
      body: html`<p><a href="/console/stores">${words.store.back}</a></p>
<div class="columns"><div>${health}</div><div>${about(store, words)}${changes(store, context)}${merchantLinks(ofMerchant, words)}${live('tasks', tasksPart(store, tasks, context))}</div></div>
${webhooks}`,
    };
  },
};

function about(store: ShownStore, words: Words): Html {
  const { about: say } = words.store;
  const facts: [string, Html][] = [
    [say.platform, html`${store.platform}`],
    [say.store, html`${store.store ?? say.unnamed}`],
    [say.shop, html`<code>${store.shop}</code>`],
    [say.address, html`<code>${store.webhookUrl}</code>`],
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
