import { orderFor } from '../../../operations/order-detail/quoted-words.ts';
import { beginMany, changedSinceSeen, chosenByList } from '../../../operations/orders/decide-many.ts';
import { type CsvColumn, ordersCsv as csvOf, findOrders, MOST_COUNTED } from '../../../operations/orders/find-orders.ts';
import { askForOrder } from '../../../operations/reconciliation/ask-store.ts';
import { html } from '../../../web/html.ts';
import type { Form, Page, PageContext, Reply } from '../../base/page.ts';
import { seenOf } from '../../frame/parts.ts';
import { isStale, Stale } from '../../frame/stale.ts';
import { numberOf, whyWords } from './order-label.ts';
import { inAddress, listAddress, type OrdersAsked, ordersAsked, visibleStores } from './orders-asked.ts';
import { type Sent, showList } from './orders-list.ts';
import { asSeen } from './orders-view.ts';

const SELECTED = /^(\d{1,15})\.([\w-]{16})$/;

/** `/console/orders`: find orders, and decide many of them at once. */
export const ordersPage: Page = {
  path: '/orders',
  right: 'orders.see',
  async get(context) {
    const text = inAddress(context);
    return showList(context, await ordersAsked(context, text), { after: text('after') });
  },
  post: { right: 'orders.decide', act: actOnOrders },
};

/** `GET /console/orders.csv`: all orders of a list. */
export const ordersCsv: Page = { path: '/orders.csv', right: 'orders.see', get: ordersFile };

/** `POST /console/orders`: the chosen ones are decided again, or resolved. */
async function actOnOrders(context: PageContext, form: Form): Promise<Reply> {
  const asked = await ordersAsked(context, (name) => form.text(name));
  const [note, how, all] = [form.text('note'), form.text('how'), form.text('all') === '1'];
  const what = whatOf(form.text('act'), how);
  const problem = what === null ? 'noOutcome' : what !== 'release' && note === '' ? 'noNote' : null;
  const ticked = tickedIn(form);
  const again = (why: Pick<Sent, 'problem' | 'stale'>) =>
    showList(context, asked, { after: '', sent: { note, how, all, ticked: new Set(ticked.keys()), ...why } });
  if (what === null || problem !== null) return again({ problem: problem ?? 'noOutcome' });
  try {
    const ids = all ? await allOf(context, asked, form) : await selected(context, asked, ticked);
    if (ids.length === 0) return again({ problem: 'none' });
    const { bulkAction } = await beginMany(context.deps, { ids, about: context.words.orders.about[what], by: context.by, why: note, what });
    return { goTo: `/console/bulk-actions/${bulkAction}` };
  } catch (thrown) {
    if (thrown instanceof Stale) return again({ problem: 'stale', stale: thrown });
    throw thrown;
  }
}

function whatOf(act: string, how: string): 'release' | 'not-a-sale' | 'elsewhere' | null {
  if (act === 'release') return 'release';
  return how === 'not-a-sale' || how === 'elsewhere' ? how : null;
}

async function allOf({ deps, words: { orders } }: PageContext, { wanted }: OrdersAsked, form: Form): Promise<number[]> {
  const { ids, digest } = await chosenByList(deps, wanted);
  if (!isStale(form, digest)) return ids;
  const changed = await changedSinceSeen(deps, ids, form.text('at'));
  const now = orders.bulk.all(orders.count(ids.length, MOST_COUNTED));
  throw new Stale(form.text('was'), changed.length === 0 ? now : `${now}\n${orders.bulk.changed(changed.join(', '))}`);
}

/** The ids of those that were ticked, and what was seen of each. */
function tickedIn(form: Form): Map<number, string> {
  return new Map(
    form.all('order').flatMap((value) => {
      const [, id, seen] = SELECTED.exec(value) ?? [];
      return id === undefined || seen === undefined ? [] : [[Number(id), seen] as const];
    }),
  );
}

/** Those that were ticked, as they were seen. */
async function selected({ deps, words }: PageContext, { stores }: OrdersAsked, ticked: ReadonlyMap<number, string>): Promise<number[]> {
  if (ticked.size === 0) return [];
  const wanted = { connections: stores.map(({ id }) => id), state: null, code: null, sold: null, total: null, ids: [...ticked.keys()] };
  const { orders } = await findOrders({ pool: deps.pool, connections: stores }, wanted, { after: '', size: ticked.size });
  const changed = orders.filter((order) => ticked.get(order.id) !== seenOf(asSeen(order)));
  if (changed.length > 0) {
    const now = changed.map((order) => `${numberOf(order)}: ${words.orders.states[order.state]}${order.review === null ? '' : ` (${order.review.detail})`}`);
    throw new Stale(`${changed.map(numberOf).join(', ')}: ${words.orders.states.review}`, now.join('\n'));
  }
  return orders.map(({ id }) => id);
}

/** `POST /console/orders/ask`: a store is asked for an order that no webhook told of. */
export const askStorePage: Page = { path: '/orders/ask', right: 'orders.see', post: { right: 'orders.decide', act: ask } };

async function ask(context: PageContext, form: Form): Promise<Reply> {
  const { deps, words, by } = context;
  const { ask: say } = words.orders;
  const q = form.text('q').slice(0, 200);
  const store = (await visibleStores(context)).find(({ id }) => id === form.text('store'));
  const back = listAddress({ q });
  if (q === '' || store === undefined) return { goTo: back };
  const answer = await askForOrder({ ...deps.stores.reading, pool: deps.pool, connections: deps.connections }, { connection: store.id, said: q, by });
  if (answer.is === 'found') {
    return answer.id === null
      ? { goTo: listAddress({ q: answer.orderId }), done: 'order-coming' }
      : { goTo: `/console/orders/${answer.id}`, done: 'order-fetched' };
  }
  return {
    ...{ status: 404, title: say.noneTitle, place: 'orders' },
    body: html`<p role="status">${say.none(store.name, q, answer.days)}</p><p><a href="${back}">${words.frame.problem.back}</a></p>`,
  };
}

/** The list as a file. */
async function ordersFile(context: PageContext): Promise<Reply> {
  const { deps } = context;
  const { stores, wanted } = await ordersAsked(context, inAddress(context));
  const names = new Map(stores.map(({ id, name }) => [id, name]));
  const content = csvOf(
    { pool: deps.pool, connections: stores },
    wanted,
    columnsIn(context, (id) => names.get(id) ?? id),
  );
  return { content, type: 'text/csv; charset=utf-8', name: `${context.words.orders.fileName}.csv` };
}

function columnsIn({ words, person }: PageContext, storeOf: (connectionId: string) => string): readonly CsvColumn[] {
  const { columns, csvColumns, states } = words.orders;
  return [
    { label: columns.number, text: numberOf },
    { label: columns.store, text: ({ connectionId }) => storeOf(connectionId) },
    { label: columns.state, text: ({ state }) => states[state] },
    { label: columns.why, text: (order) => whyWords(orderFor(person, order), words) },
    { label: columns.total, amount: ({ orderTotal }) => orderTotal },
    { label: csvColumns.currency, text: ({ currency }) => currency ?? '' },
    { label: columns.recorded, amount: ({ recordedTotal }) => recordedTotal },
    { label: csvColumns.recordedCurrency, text: ({ recordedCurrency }) => recordedCurrency ?? '' },
    { label: columns.paid, text: ({ isPaid, paidAt }) => (isPaid ? (paidAt ?? '') : '') },
    { label: columns.changed, text: ({ updatedAt }) => updatedAt },
    { label: csvColumns.complianceId, text: ({ complianceId }) => complianceId ?? '' },
    { label: csvColumns.orderId, text: ({ orderId }) => orderId },
  ];
}
