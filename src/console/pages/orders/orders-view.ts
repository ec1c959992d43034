import type { Connection } from '../../../bridge/connections/connection.ts';
import type { FoundOrder, OrdersPage } from '../../../operations/orders/find-orders.ts';
import type { OrdersQuery } from '../../../operations/orders/orders-wanted.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { money, seenOf, table, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { numberOf, stateTag, whyWords } from './order-label.ts';
import { listAddress } from './orders-asked.ts';

/** `counts` null: they would not be those of this list. */
export type OrdersShown = {
  query: OrdersQuery;
  stores: readonly Connection[];
  codes: readonly { code: string; means: string }[];
  counts: ReadonlyMap<FoundOrder['state'], number> | null;
  page: OrdersPage;
  mostCounted: number;
};

export function chips(
  { query, counts, mostCounted, states }: Pick<OrdersShown, 'query' | 'counts' | 'mostCounted'> & { states: readonly FoundOrder['state'][] },
  { orders }: Words,
): Html {
  const chip = (state: FoundOrder['state'] | '' | 'asked') => {
    const count = state === '' || state === 'asked' ? undefined : counts?.get(state);
    const name = state === '' ? orders.all : state === 'asked' ? orders.asked : orders.states[state];
    return html`<li><a href="${listAddress({ ...query, state })}"${attributes({ 'aria-current': query.state === state ? 'true' : null })}>${name}${
      count === undefined ? nothing : html` <span class="soft">${orders.count(count, mostCounted)}</span>`
    }</a></li>`;
  };
  return html`<ul class="chips">
${lines(['' as const, ...(query.state === 'asked' ? ['asked' as const] : []), ...states].map(chip))}</ul>`;
}

/** The choices, closed unless one is made. */
export function filters({ query, stores, codes }: Pick<OrdersShown, 'query' | 'stores' | 'codes'>, { orders }: Words): Html {
  const { q, state, store, month, code, from, to, missing } = query;
  const isSet = [store, month, code, from, to].some((one) => one !== '');
  return html`<form class="find" method="get" action="/console/orders">
${state === '' ? nothing : html`<input type="hidden" name="state" value="${state}">\n`}${missing === '' ? nothing : html`<input type="hidden" name="missing" value="${missing}">\n`}<div class="field"><label for="find">${orders.find}</label>
<input id="find" name="q" type="search" value="${q}" autocomplete="off"></div>
<details${attributes({ open: isSet })}><summary>${orders.filters}</summary>
<div class="pair">${select({ name: 'store', label: orders.store, value: store, none: orders.everyStore, choices: stores.map(({ id, name }) => [id, name]) })}
${select({ name: 'code', label: orders.code, value: code, none: orders.everyCode, choices: codes.map((one) => [one.code, one.means]) })}
${day({ name: 'month', label: orders.month, type: 'month', value: month })}
${day({ name: 'from', label: orders.from, type: 'date', value: from })}
${day({ name: 'to', label: orders.to, type: 'date', value: to })}</div>
</details>
<div class="verbs"><button class="second">${orders.show}</button>
<a href="/console/orders">${orders.clear}</a> <a href="${listAddress(query, '/console/orders.csv')}">${orders.csv}</a></div>
</form>`;
}

type Select = { name: string; label: string; value: string; none: string; choices: readonly (readonly [string, string])[] };

function select({ name, label, value, none, choices }: Select): Html {
  const all = value === '' || choices.some(([one]) => one === value) ? choices : [[value, value] as const, ...choices];
  const option = ([one, words]: readonly [string, string]) => html`<option value="${one}"${attributes({ selected: one === value })}>${words}</option>`;
  return html`<div class="field"><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}"><option value="">${none}</option>${all.map(option)}</select></div>`;
}

function day({ name, label, type, value }: { name: string; label: string; type: string; value: string }): Html {
  return html`<div class="field"><label for="f-${name}">${label}</label><input id="f-${name}" name="${name}" type="${type}" value="${value}"></div>`;
}

type Listed = Pick<OrdersShown, 'page' | 'stores'> & { isChoice: boolean; ticked: ReadonlySet<number> };

/** `isChoice`: each has a box. */
export function ordersTable({ page, stores, isChoice, ticked }: Listed, words: Words): Html {
  const { columns, caption } = words.orders;
  const names = new Map(stores.map(({ id, name }) => [id, name]));
  const row = (order: FoundOrder): Html[] => [
    html`${isChoice ? box(order, ticked.has(order.id), words) : nothing}<a href="/console/orders/${order.id}">${numberOf(order)}</a>`,
    html`${names.get(order.connectionId) ?? order.store}`,
    stateTag(order.state, words),
    html`${whyWords(order, words)}`,
    html`${amount(order.orderTotal, order.currency, words)}`,
    html`${amount(order.recordedTotal, order.recordedCurrency, words)}`,
    order.isPaid ? when(order.paidAt, words) : html`${words.frame.none}`,
    when(order.updatedAt, words),
  ];
  const { number, store, state, why, total, recorded, paid, changed } = columns;
  const headings = [
    { name: number },
    { name: store },
    { name: state },
    { name: why },
    { name: total, n: true as const },
    { name: recorded, n: true as const },
    { name: paid },
    { name: changed },
  ];
  return html`<div class="orders">${table({ caption, columns: headings, rows: page.orders.map(row) })}</div>`;
}

function box(order: FoundOrder, isTicked: boolean, { orders }: Words): Html {
  return html`<input type="checkbox" name="order" value="${order.id}.${seenOf(asSeen(order))}" aria-label="${orders.select(numberOf(order))}"${attributes({ checked: isTicked })}> `;
}

/** What a decision about an order is made from. */
export function asSeen({ state, revision, review }: Pick<FoundOrder, 'state' | 'revision' | 'review'>): unknown {
  return [state, revision, review?.code ?? null];
}

function amount(value: string | null, currency: string | null, words: Words): string {
  return money(value === null || currency === null ? null : `${value} ${currency}`, words);
}
