import type { Connection } from '../../../bridge/connections/connection.ts';
import type { FoundOrder, OrdersPage } from '../../../operations/orders/find-orders.ts';
import type { OrderFilter } from '../../../operations/orders/orders-wanted.ts';
import { attributes } from '../../../web/attributes.ts';
import { button, field, formTo, seenOf } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { type Columns, sortedBy, table } from '../../../web/tables.ts';
import { type Chip, chips, dayChips } from '../../frame/chips.ts';
import { amount, chosenIn, listAddress, namedOptions, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { assignedTags, ofOrder } from './assign-form.ts';
import { numberOf, stateTag, whyWords } from './order-label.ts';

export type OrdersShown = {
  query: OrderFilter;
  stores: readonly Connection[];
  codes: readonly { code: string; means: string }[];
  counts: ReadonlyMap<FoundOrder['state'], number | null>;
  page: OrdersPage;
  mostCounted: number;
};

export function stateChips({ query, counts, mostCounted }: Pick<OrdersShown, 'query' | 'counts' | 'mostCounted'>, { orders, review }: Words): Html {
  const ofState = (state: FoundOrder['state'] | '' | 'asked', name: string): Chip => ({
    to: listAddress('orders', { ...query, state }),
    name,
    isOn: query.state === state,
  });
  const isMine = query.mine !== '';
  return chips([
    ofState('', orders.all),
    ...(query.state === 'asked' ? [ofState('asked', orders.asked)] : []),
    ...[...counts].map(([state, count]) => ({
      ...ofState(state, orders.states[state]),
      ...(count === null ? {} : { count: orders.count(count, mostCounted) }),
    })),
    { to: listAddress('orders', { ...query, mine: isMine ? '' : '1' }), name: review.assign.mine, isOn: isMine },
  ]);
}

/** The choices, closed unless one is made. */
export function filters({ query, stores, codes, today }: Pick<OrdersShown, 'query' | 'stores' | 'codes'> & { today: string }, words: Words): Html {
  const { orders } = words;
  const { q, state, store, month, code, from, to, missing, action, since, mine, sort } = query;
  const isSet = [store, month, code, from, to].some((one) => one !== '');
  const choices = [
    field({ id: 'f-store', name: 'store', label: orders.store, value: store, none: orders.everyStore, options: namedOptions(stores) }),
    field({ id: 'f-code', name: 'code', label: orders.code, value: code, none: orders.everyCode, options: codes.map((one) => [one.code, one.means]) }),
    field({ id: 'f-month', name: 'month', label: orders.month, type: 'month', value: month }),
    field({ id: 'f-from', name: 'from', label: orders.from, type: 'date', value: from }),
    field({ id: 'f-to', name: 'to', label: orders.to, type: 'date', value: to }),
  ];
  const body = html`<details${attributes({ open: isSet })}><summary>${orders.filters}</summary>
<div class="pair">${lines(choices)}</div>
<p class="verbs">${button(orders.show, { class: 'second' })}</p></details>`;
  const clear = Object.keys(chosenIn(query)).length === 0 ? nothing : html`<a href="/console/orders">${orders.clear}</a> `;
  const ways = html`${clear}<a href="${listAddress('orders.csv', query)}">${orders.csv}</a>`;
  return html`${formTo('/console/orders', { method: 'get', class: 'find', hidden: chosenIn({ q, state, missing, action, since, mine, sort }), body, buttons: [ways] })}
${dayChips({ today, days: query, to: (days) => listAddress('orders', { ...query, month: '', ...days }) }, words)}`;
}

type Listed = Pick<OrdersShown, 'query' | 'page' | 'stores'> & { isChoice: boolean; ticked: ReadonlySet<number>; today: string; isFew: boolean };

/** `isChoice`: each that is in review has a box. `isFew`: all that match can be sorted by what they cost. */
export function ordersTable({ query, page, stores, isChoice, ticked, today, isFew }: Listed, words: Words): Html {
  const { columns, caption } = words.orders;
  const names = new Map(stores.map(({ id, name }) => [id, name]));
  const select = (order: FoundOrder) => (isChoice && order.state === 'review' ? box(order, ticked.has(order.id), words) : nothing);
  const shown: Columns<FoundOrder> = [
    { name: columns.number, cell: (order) => html`${select(order)}<a href="/console/orders/${order.id}">${numberOf(order)}</a>` },
    { name: columns.store, cell: ({ connectionId, store }) => names.get(connectionId) ?? store },
    { name: columns.state, cell: ({ state }) => stateTag(state, words) },
    {
      name: columns.why,
      cell: (order) => html`${whyWords(order, words)}${order.assigned === null ? nothing : assignedTags(ofOrder(order.assigned, today), words)}`,
    },
    { name: columns.total, n: true, ...(isFew ? { sorts: true as const } : {}), cell: ({ orderTotal, currency }) => amount(orderTotal, currency, words) },
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
