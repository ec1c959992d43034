import { knownTopics } from '../../../bridge/ledger/deliveries/find-deliveries.ts';
import { dayRange } from '../../../operations/day-range.ts';
import { MOST_COUNTED } from '../../../operations/orders/find-orders.ts';
import { may } from '../../../operations/people/rights.ts';
import { findWebhooks, LOOKED_AT, type WebhooksPage } from '../../../operations/webhooks/find-webhooks.ts';
import { sofiaDay } from '../../../service/law/calendar.ts';
import { button, field, formTo } from '../../../web/forms.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { listPaging, placesOf, rowsBefore } from '../../../web/tables.ts';
import type { Page } from '../../base/page.ts';
import { dayChips } from '../../frame/chips.ts';
import { chosenIn, listAddress, namedOptions, type WebhooksQuery } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { inAddress, visibleStores } from '../orders/order-list-request.ts';
import { webhookTable } from './webhook-table.ts';

/** `GET /console/webhooks`: of all stores, by store, topic and answer; one of an id is found by the search. */
export const webhookListPage: Page = {
  path: '/webhooks',
  right: 'orders.see',
  async get(context) {
    const { deps, words } = context;
    const text = inAddress(context);
    const answer = text('answer');
    const stores = await visibleStores(context);
    const store = stores.find(({ id }) => id === text('store'));
    const days = dayRange({ from: text('from'), to: text('to') });
    const query = { store: store?.id ?? '', topic: text('topic').slice(0, 100), answer: isAnswer(answer) ? answer : '', ...days };
    const connections = store === undefined ? stores : [store];
    const marks = { after: text('after'), before: text('before') };
    const wanted = { q: '', topic: query.topic, answer: isAnswer(answer) ? answer : null, days };
    const ids = connections.map(({ id }) => id);
    const [page, topics] = await Promise.all([findWebhooks({ pool: deps.pool, connections }, wanted, marks), knownTopics(deps.pool, ids)]);
    const maySeeClients = may(context.person.role, 'stores.see');
    const names = new Map(stores.map(({ id, name }) => [id, name]));
    const list = webhookTable(
      {
        caption: words.webhooks.title,
        webhooks: maySeeClients ? page.webhooks : page.webhooks.map((one) => ({ ...one, client: null })),
        storeOf: (id) => names.get(id) ?? id,
      },
      words,
    );
    return {
      title: words.webhooks.title,
      place: 'stores',
      body: html`<p class="soft">${words.webhooks.lead}</p>
${filters({ query, stores, topics }, words)}
${dayChips({ today: sofiaDay(deps.now().toISOString()), days, to: (chosen) => listAddress('webhooks', { ...query, ...chosen }) }, words)}
${page.count === null ? nothing : html`<p><strong>${words.webhooks.hits(page.count, MOST_COUNTED)}</strong></p>`}
${page.webhooks.length === 0 ? html`<p class="banner">${noneWords(query, page, words)}</p>` : list}
${ways({ query, page, before: rowsBefore(text('n')) }, words)}`,
    };
  },
};

function noneWords(query: WebhooksQuery, { next }: WebhooksPage, { webhooks: say }: Words): string {
  if (next !== null) return say.noneHere(LOOKED_AT);
  return Object.keys(chosenIn(query)).length === 0 ? say.none.atAll : say.none.filtered;
}

function isAnswer(answer: string): answer is 'accepted' | 'refused' {
  return answer === 'accepted' || answer === 'refused';
}

function ways({ query, page, before }: { query: WebhooksQuery; page: WebhooksPage; before: number }, words: Words): Html {
  const rows = { before, shown: page.webhooks.length };
  const at = page.count === null ? null : { ...rows, count: page.count, most: MOST_COUNTED };
  return html`<p class="verbs">${listPaging({ ...placesOf(page, rows), at, to: (place) => listAddress('webhooks', { ...query, ...place }) }, words)}</p>`;
}

type Filters = { query: WebhooksQuery; stores: readonly { id: string; name: string }[]; topics: readonly string[] };

function filters({ query, stores, topics }: Filters, { webhooks: say, store: { deliveries } }: Words): Html {
  const answers = { accepted: deliveries.accepted, refused: deliveries.refused };
  const body = html`<div class="pair">${field({ name: 'store', label: say.store, value: query.store, none: say.everyStore, options: namedOptions(stores) })}
${field({ name: 'topic', label: say.topic, value: query.topic, none: say.everyTopic, options: topics.filter((topic) => topic !== '').map((topic) => [topic, topic]) })}
${field({ name: 'answer', label: say.answer, value: query.answer, none: say.everyAnswer, options: answers })}</div>`;
  const clear = html`<a href="/console/webhooks">${say.clear}</a>`;
  return formTo('/console/webhooks', {
    method: 'get',
    class: 'find',
    hidden: chosenIn({ from: query.from, to: query.to }),
    body,
    buttons: [button(say.show, { class: 'second' }), clear],
  });
}
