import { readCounts } from '../../bridge/ledger/counts/read-counts.ts';
import { lastReceived } from '../../bridge/ledger/deliveries/traffic-store.ts';
import type { OrdersWanted } from '../../bridge/ledger/orders/find-orders.ts';
import { containsPersonalData } from '../../bridge/order/facts/failure.ts';
import { amount, money, problemText, when } from '../../console/frame/parts.ts';
import { wordsIn as consoleWordsIn } from '../../console/messages/messages.ts';
import { monthName } from '../../contract/local-text.ts';
import { countText } from '../../contract/plural.ts';
import { isUuid } from '../../contract/uuid.ts';
import { type FoundOrder, findOrders, MOST_COUNTED, sumsFound } from '../../operations/orders/find-orders.ts';
import { lastMidnights, sofiaMidnight } from '../../operations/reconciliation/window.ts';
import { codeMeans, stateName } from '../../operations/words.ts';
import { monthOf, sofiaDay } from '../../service/law/calendar.ts';
import { documentNumbers } from '../../service/reading/read-orders.ts';
import { strip } from '../../web/charts.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import { type Columns, listPaging, table } from '../../web/tables.ts';
import type { ConnectContext, ConnectPage, ConnectPageDeps } from '../base/connect-page.ts';
import type { Words } from '../messages/messages.ts';

const DAYS = 90;
const PAGE = 25;
const WEEK = 7;

/** `GET /connect/{token}/status/orders`: those of the last days, without anything of who bought. */
export const ordersPage: ConnectPage = {
  path: '/status/orders',
  of: 'status',
  async get({ deps, onboarding: { connectionId }, words, base, req }) {
    const connection = connectionId === null ? null : await deps.connections.find(connectionId);
    if (connection === null) return { goTo: `${base}/status` };
    const [from = ''] = lastMidnights(deps.now(), DAYS);
    const place = (name: 'after' | 'before') => (typeof req.query[name] === 'string' ? req.query[name] : '');
    const query = { after: place('after'), before: place('before'), size: PAGE };
    const { orders, next, previous } = await findOrders({ pool: deps.pool, connections: [connection] }, wanted(connection.id, from), query);
    const records = orders.flatMap(({ complianceId }) => (complianceId !== null && isUuid(complianceId) ? [complianceId] : []));
    const documents = deps.service === null ? new Map<string, string>() : await documentNumbers(deps.pool, records);
    const { orders: say } = words.own;
    const to = (at: Readonly<Record<string, string>>) => `${base}/status/orders?${new URLSearchParams(at)}`;
    const pages = { next: next === null ? null : { after: next }, previous: previous === null ? null : { before: previous }, at: null, to };
    const list = orders.length === 0 ? html`<p>${say.none}</p>` : ordersTable(orders, documents, words);
    return {
      title: say.title,
      body: html`<p class="soft">${say.lead}</p>\n${list}
<p class="verbs">${listPaging(pages, consoleWordsIn(words.lang))}</p>
<p><a href="${base}/status">${words.steps.back}</a></p>`,
    };
  },
};

function wanted(connectionId: string, from: string, state: OrdersWanted['state'] = null): OrdersWanted {
  return { connections: [connectionId], state, code: null, sold: { from, until: null }, total: null, ids: null };
}

function ordersTable(orders: readonly FoundOrder[], documents: ReadonlyMap<string, string>, words: Words): Html {
  const { columns: say, title } = words.own.orders;
  const { none } = words.frame;
  const columns: Columns<FoundOrder> = [
    { name: say.number, cell: ({ number, orderId }) => number ?? orderId },
    { name: say.paid, cell: ({ isPaid, paidAt }) => (isPaid ? when(paidAt, words) : none) },
    {
      name: say.total,
      n: true,
      cell: ({ orderTotal, currency }) => amount(orderTotal, currency, words),
    },
    { name: say.state, cell: (order) => html`${stateName(order.state, words.lang)}${whyView(order, words)}` },
    { name: say.document, cell: ({ complianceId }) => (complianceId === null ? none : (documents.get(complianceId) ?? none)) },
  ];
  return table({ caption: title, columns, rows: orders });
}

/** What a service or a store said may repeat a buyer: then it is said in our words alone. */
function whyView({ review }: FoundOrder, { lang }: Words): Html {
  if (review === null) return nothing;
  const why = containsPersonalData(review.code) ? codeMeans(review.code, lang) : problemText(review, lang);
  return html`<br><span class="soft">${why}</span>`;
}

/** What a store did lately. `webhookAt` null: it never sent anything; `sum` null: there is none, or too many to add up. */
export type OwnFigures = { webhookAt: string | null; month: string; recorded: number; sum: string | null; webhooks: readonly number[] };

export async function figuresOf({ pool, now }: Pick<ConnectPageDeps, 'pool' | 'now'>, id: string): Promise<OwnFigures> {
  const days = lastMidnights(now(), WEEK);
  const month = monthOf(sofiaDay(now().toISOString()));
  const [received, sums, counted] = await Promise.all([
    lastReceived(pool, [id]),
    sumsFound({ pool }, wanted(id, sofiaMidnight(`${month}-01`), 'recorded')),
    readCounts(pool, { span: 'day', at: days, subjects: [id] }),
  ]);
  const webhooks = days.map((day) => counted.find(({ at }) => at === day)?.accepted ?? 0);
  return { webhookAt: received?.at ?? null, month, recorded: sums.orders, sum: sums.total, webhooks };
}

export function figuresView({ webhookAt, month, recorded, sum, webhooks }: OwnFigures, { words, base }: Pick<ConnectContext, 'words' | 'base'>): Html {
  const { own, lang } = words;
  const { figures: say } = own;
  const many = `${countText(Math.min(recorded, MOST_COUNTED), lang)}${recorded > MOST_COUNTED ? '+' : ''}`;
  const numbers = webhooks.map((n) => countText(n, lang)).join(', ');
  return html`<h2>${say.title}</h2>
<p>${say.webhook}: ${when(webhookAt, words, 'dated')}</p>
<p>${say.month(monthName(month, lang), many, sum === null ? null : money(sum, words))}</p>
<p>${say.week}: ${strip(consoleWordsIn(lang).counts.weekOf(numbers), webhooks, 'silence')}</p>
<p><a href="${base}/status/orders">${own.orders.all}</a></p>
`;
}
