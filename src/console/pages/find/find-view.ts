import type { Connection } from '../../../bridge/connections/connection.ts';
import type { Found, FoundGroup, SoughtText } from '../../../operations/find/find-anything.ts';
import type { FoundOrder } from '../../../operations/orders/find-orders.ts';
import { may, rolesThatMay } from '../../../operations/people/rights.ts';
import { canBeQueried } from '../../../operations/reconciliation/ask-store.ts';
import { button, formTo } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { type Columns, table } from '../../../web/tables.ts';
import type { PageContext } from '../../base/page.ts';
import { amount, listAddress, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { numberOf, stateTag } from '../orders/order-label.ts';
import { webhookTable } from '../webhooks/webhook-table.ts';
import type { NamedPage } from './named-pages.ts';

/** `connections`: those that the person may see. */
export type Results = Found & { pages: readonly NamedPage[]; connections: readonly Connection[] };

type Shown = { sought: SoughtText; results: Results };

/** A lag is shown from so many seconds on. */
const LAG = 5;

/** What was found, by its kind. */
export function resultsView(context: PageContext, { sought, results }: Shown): Html {
  const { words } = context;
  const { find } = words;
  const { groups, stores, pages, lagSeconds } = results;
  const names = new Map(results.connections.map(({ id, name }) => [id, name]));
  const storeOf = (id: string) => names.get(id) ?? id;
  const webhooks = results.webhooks.map((one) => ({ ...one, client: null }));
  const isNone = [groups, webhooks, stores, pages].every(({ length }) => length === 0);
  const parts = [
    ...groups.map((group) => part(find.kinds[group.by], html`${ordersTable(group, storeOf, words)}${moreWays(group, sought, words)}`)),
    webhooks.length === 0 ? nothing : part(find.kinds.webhooks, webhookTable({ caption: find.kinds.webhooks, webhooks, storeOf }, words)),
    stores.length === 0 ? nothing : part(find.kinds.stores, links(stores.map(({ id, name }) => ({ name, path: `/console/stores/${id}` })))),
    pages.length === 0 ? nothing : part(find.kinds.pages, links(pages)),
  ];
  const lag = lagSeconds < LAG ? nothing : html`<p class="soft">${find.lag(Math.round(lagSeconds))}</p>\n`;
  return html`${lag}${isNone ? noneView(context, { sought, results }) : parts}`;
}

function part(title: string, content: Html): Html {
  return html`<section><h2>${title}</h2>\n${content}</section>\n`;
}

function links(all: readonly NamedPage[]): Html {
  return html`<ul class="plain">${lines(all.map(({ name, path }) => html`<li><a href="${path}">${name}</a></li>`))}</ul>`;
}

function ordersTable({ by, orders }: FoundGroup, storeOf: (connectionId: string) => string, words: Words): Html {
  const { columns } = words.orders;
  const shown: Columns<FoundOrder> = [
    { name: columns.number, cell: (order) => html`<a href="/console/orders/${order.id}">${numberOf(order)}</a>` },
    { name: columns.store, cell: ({ connectionId }) => storeOf(connectionId) },
    {
      name: columns.total,
      n: true,
      cell: ({ orderTotal, currency }) => amount(orderTotal, currency, words),
    },
    { name: columns.paid, cell: ({ isPaid, paidAt }) => (isPaid ? when(paidAt, words, 'dated') : words.frame.none) },
    { name: columns.state, cell: ({ state }) => stateTag(state, words) },
  ];
  return table({ caption: words.find.kinds[by], columns: shown, rows: orders });
}

/** A list takes what is written as an amount for one. */
function moreWays({ by, isMore }: FoundGroup, { amount }: SoughtText, { find }: Words): Html {
  if (!isMore) return nothing;
  return by === 'amount' && amount !== null
    ? html`\n<p><a href="${listAddress({ q: amount.includes('.') ? amount : `${amount}.00` })}">${find.allOfAmount}</a></p>`
    : html`\n<p class="soft">${by === 'part' ? find.more : find.newest}</p>`;
}

/** What was looked through and what can't be; stores with keys can be asked for what may be an order of theirs. */
function noneView({ deps, words, person }: PageContext, { sought: { text, email }, results }: Shown): Html {
  const { find, orders } = words;
  if (email !== null) return banner(find.noBuyer, '');
  const what = banner(find.none(text), `${find.searched} ${emailWords(words, may(person.role, 'buyers.see'))} ${find.notSearched}`);
  const mayAsk = may(person.role, 'orders.decide') && /\d/.test(text);
  const some = mayAsk ? results.connections.filter((store) => canBeQueried(deps.stores.storefronts, store)).slice(0, MOST_ASKED) : [];
  if (some.length === 0) return what;
  const buttons = some.map(({ id, name }) => button(orders.ask.store(name), { class: 'second', name: 'store', value: id }));
  return html`${what}\n${formTo('/console/orders/ask', { hidden: { q: text }, body: html`<p>${orders.ask.lead}</p>`, buttons })}`;
}

const MOST_ASKED = 5;

/** Of what has an @: who may look for it, and by what. */
export function addressView({ words, person }: PageContext, { text, email }: SoughtText): Html {
  const { find } = words;
  const mayLook = may(person.role, 'buyers.see');
  if (!mayLook) return banner(emailWords(words, false), find.notSearched);
  if (email === null) return banner(find.buyer.partial, find.byEmail);
  return formTo('/console/find', { hidden: { q: text }, body: html`<p>${find.buyer.lead}</p>`, buttons: [button(find.buyer.do)] });
}

function emailWords({ find, frame }: Words, mayLook: boolean): string {
  return mayLook
    ? find.byEmail
    : find.noEmail(
        rolesThatMay('buyers.see')
          .map((role) => frame.roles[role])
          .join(', '),
      );
}

function banner(what: string, more: string): Html {
  return html`<section class="banner"><p><strong>${what}</strong> ${more}</p></section>`;
}
