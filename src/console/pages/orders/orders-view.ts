import type { Connection } from '../../../bridge/connections/connection.ts';
import type { FoundOrder, OrdersPage } from '../../../operations/orders/find-orders.ts';
import type { OrderFilter } from '../../../operations/orders/orders-wanted.ts';
import { attributes } from '../../../web/attributes.ts';
import { button, field, formTo, seenOf } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { type Columns, sortedBy, table } from '../../../web/tables.ts';
import { dayChips } from '../../frame/day-chips.ts';
import { amount, listAddress, tag, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { numberOf, stateTag, whyWords } from './order-label.ts';

export type OrdersShown = {
  query: OrderFilter;
  stores: readonly Connection[];
  codes: readonly { code: string; means: string }[];
  counts: ReadonlyMap<FoundOrder['state'], number | null>;
  page: OrdersPage;
  mostCounted: number;
};

export function chips({ query, counts, mostCounted }: Pick<OrdersShown, 'query' | 'counts' | 'mostCounted'>, { orders, review }: Words): Html {
  const mineName = review.assign.mine;
  const chip = (state: FoundOrder['state'] | '' | 'asked') => {
    const count = state === '' || state === 'asked' ? undefined : counts.get(state);
    const name = state === '' ? orders.all : state === 'asked' ? orders.asked : orders.states[state];
    return html`<li><a href="${listAddress('orders', { ...query, state })}"${attributes({ 'aria-current': query.state === state ? 'true' : null })}>${name}${
      count == null ? nothing : html` <span class="soft">${orders.count(count, mostCounted)}</span>`
    }</a></li>`;
  };
  const mine = html`<li><a href="${listAddress('orders', { ...query, mine: query.mine === '' ? '1' : '' })}"${attributes({ 'aria-current': query.mine === '' ? null : 'true' })}>${mineName}</a></li>`;
  return html`<ul class="chips">
${lines(['' as const, ...(query.state === 'asked' ? ['asked' as const] : []), ...counts.keys()].map(chip))}${mine}</ul>`;
}

/** The choices, closed unless one is made. */
export function filters({ query, stores, codes, today }: Pick<OrdersShown, 'query' | 'stores' | 'codes'> & { today: string }, words: Words): Html {
  const { orders } = words;
  const { q, state, store, month, code, from, to, missing, action, mine, sort } = query;
  const isSet = [store, month, code, from, to].some((one) => one !== '');
  const choices = [
    field({ id: 'f-store', name: 'store', label: orders.store, value: store, none: orders.everyStore, options: stores.map(({ id, name }) => [id, name]) }),
    field({ id: 'f-code', name: 'code', label: orders.code, value: code, none: orders.everyCode, options: codes.map((one) => [one.code, one.means]) }),
    field({ id: 'f-month', name: 'month', label: orders.month, type: 'month', value: month }),
    field({ id: 'f-from', name: 'from', label: orders.from, type: 'date', value: from }),
    field({ id: 'f-to', name: 'to', label: orders.to, type: 'date', value: to }),
  ];
  const body = html`<details${attributes({ open: isSet })}><summary>${orders.filters}</summary>
<div class="pair">${lines(choices)}</div>
</details>`;
  const kept = Object.fromEntries(Object.entries({ q, state, missing, action, mine, sort }).filter(([, value]) => value !== ''));
  const ways = html`<a href="/console/orders">${orders.clear}</a> <a href="${listAddress('orders.csv', query)}">${orders.csv}</a>`;
  return html`${formTo('/console/orders', { method: 'get', class: 'find', hidden: kept, body, buttons: [button(orders.show, { class: 'second' }), ways] })}
${dayChips({ today, days: query, to: (days) => listAddress('orders', { ...query, month: '', ...days }) }, words)}`;
}

type Listed = Pick<OrdersShown, 'query' | 'page' | 'stores'> & { isChoice: boolean; ticked: ReadonlySet<number> };

/** `isChoice`: each that is in review has a box. */
export function ordersTable({ query, page, stores, isChoice, ticked }: Listed, words: Words): Html {
  const { columns, caption } = words.orders;
  const names = new Map(stores.map(({ id, name }) => [id, name]));
  const select = (order: FoundOrder) => (isChoice && order.state === 'review' ? box(order, ticked.has(order.id), words) : nothing);
  const shown: Columns<FoundOrder> = [
    { name: columns.number, cell: (order) => html`${select(order)}<a href="/console/orders/${order.id}">${numberOf(order)}</a>` },
    { name: columns.store, cell: ({ connectionId, store }) => names.get(connectionId) ?? store },
    { name: columns.state, cell: ({ state }) => stateTag(state, words) },
    { name: columns.why, cell: (order) => html`${whyWords(order, words)}${order.assignee === null ? nothing : html` ${tag(order.assignee, 'quiet')}`}` },
    { name: columns.total, n: true, cell: ({ orderTotal, currency }) => amount(orderTotal, currency, words) },
    { name: columns.recorded, n: true, cell: ({ recordedTotal, recordedCurrency }) => amount(recordedTotal, recordedCurrency, words) },
    { name: columns.paid, sorts: true, cell: ({ isPaid, paidAt }) => (isPaid ? when(paidAt, words) : words.frame.none) },
    { name: columns.changed, cell: ({ updatedAt }) => when(updatedAt, words) },
  ];
  return html`<div class="orders">${table({ caption, columns: shown, rows: page.orders, opens: true, sort: sortedBy(query.sort, listAddress('orders', { ...query, sort: '' })) })}</div>`;
}

function box(order: FoundOrder, isTicked: boolean, { orders }: Words): Html {
  return html`<input type="checkbox" name="order" value="${order.id}.${seenOf(asSeen(order))}" aria-label="${orders.select(numberOf(order))}"${attributes({ checked: isTicked })}> `;
}

/** What a decision about an order is made from. */
export function asSeen({ state, revision, review }: Pick<FoundOrder, 'state' | 'revision' | 'review'>): unknown {
  return [state, revision, review?.code ?? null];
}
