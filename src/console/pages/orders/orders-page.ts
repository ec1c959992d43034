import type { SeenOrders } from '../../../bridge/ledger/orders/find-orders.ts';
import { monthName, plainAmount, sortableText } from '../../../contract/local-text.ts';
import { orderFor } from '../../../operations/order-detail/quoted-words.ts';
import { beginMany, changedSinceSeen, chosenByList, seenByList } from '../../../operations/orders/decide-many.ts';
import {
  type CsvColumn,
  ordersCsv as csvOf,
  type FoundSums,
  findOrders,
  MOST_COUNTED,
  type OrdersPage,
  sumsFound,
} from '../../../operations/orders/find-orders.ts';
import { becameIn, type OrderFilter } from '../../../operations/orders/orders-wanted.ts';
import { may } from '../../../operations/people/rights.ts';
import { askForOrder } from '../../../operations/reconciliation/ask-store.ts';
import { codeMeans, reviewCodes } from '../../../operations/words.ts';
import { sofiaDay } from '../../../service/law/calendar.ts';
import { attributes } from '../../../web/attributes.ts';
import { button, choices, field, formTo, isStale, noDefault, Stale, seenOf, tick } from '../../../web/forms.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { listPaging, placesOf, rowsBefore } from '../../../web/tables.ts';
import type { Form, Page, PageContext, PageReply } from '../../base/page.ts';
import { findAddress, listAddress, momentName, money } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { staleBanner } from '../../problem-pages.ts';
import { numberOf, whyWords } from './order-label.ts';
import { inAddress, type OrderListRequest, orderListRequest, visibleStores } from './order-list-request.ts';
import { asSeen, filters, ordersTable, stateChips } from './orders-view.ts';

const SELECTED = /^(\d{1,15})\.([\w-]{16})$/;

/** `/console/orders`: find orders, and decide many of them at once. */
export const ordersPage: Page = {
  path: '/orders',
  right: 'orders.see',
  async get(context) {
    const text = inAddress(context);
    return showList(context, await orderListRequest(context, text), placeOf(text));
  },
  post: { right: 'orders.decide', act: actOnOrders },
};

/** `GET /console/orders.csv`: all orders of a list. */
export const ordersCsv: Page = { path: '/orders.csv', right: 'orders.see', get: ordersFile };

/** `POST /console/orders`: the chosen ones are decided again, or resolved. */
async function actOnOrders(context: PageContext, form: Form): Promise<PageReply> {
  const text = (name: string) => form.text(name);
  const asked = await orderListRequest(context, text);
  const [note, how, all] = [form.text('note'), form.text('how'), form.text('all') === '1'];
  const what = whatOf(form.text('act'), how);
  const problem = what === null ? 'noOutcome' : what !== 'release' && note === '' ? 'noNote' : null;
  const ticked = tickedIn(form);
  const again = (why: Pick<Sent, 'problem' | 'stale'>) =>
    showList(context, asked, { ...placeOf(text), sent: { note, how, all, ticked: new Set(ticked.keys()), ...why } });
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

async function allOf({ deps, words: { orders } }: PageContext, { wanted }: OrderListRequest, form: Form): Promise<number[]> {
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
async function selected({ deps, words }: PageContext, { stores }: OrderListRequest, ticked: ReadonlyMap<number, string>): Promise<number[]> {
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

/** `POST /console/orders/ask`: a store is asked for an order that no webhook announced. */
export const askStorePage: Page = { path: '/orders/ask', right: 'orders.see', post: { right: 'orders.decide', act: ask } };

async function ask(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by } = context;
  const { ask: say } = words.orders;
  const q = form.text('q').slice(0, 200);
  const store = (await visibleStores(context)).find(({ id }) => id === form.text('store'));
  const back = findAddress(q);
  if (q === '' || store === undefined) return { goTo: back };
  const answer = await askForOrder({ ...deps.stores.reading, pool: deps.pool, connections: deps.connections }, { connection: store.id, said: q, by });
  if (answer.is === 'found') {
    return answer.id === null ? { goTo: findAddress(answer.orderId), done: 'order-coming' } : { goTo: `/console/orders/${answer.id}`, done: 'order-fetched' };
  }
  return {
    ...{ status: 404, title: say.noneTitle, place: 'orders' },
    body: html`<p role="status">${say.none(store.name, q, answer.days)}</p><p><a href="${back}">${words.frame.problem.back}</a></p>`,
  };
}

/** The list as a file. */
async function ordersFile(context: PageContext): Promise<PageReply> {
  const { deps } = context;
  const { stores, wanted } = await orderListRequest(context, inAddress(context));
  const names = new Map(stores.map(({ id, name }) => [id, name]));
  const columns = columnsIn(context, (id) => names.get(id) ?? id);
  const content = csvOf({ pool: deps.pool, connections: stores }, { wanted: { ...wanted, byTotal: null }, columns, lang: context.words.lang });
  return { content, type: 'text/csv; charset=utf-8', name: `${context.words.orders.fileName}-${sofiaDay(deps.now().toISOString())}.csv` };
}

function columnsIn({ words, person }: PageContext, storeOf: (connectionId: string) => string): readonly CsvColumn[] {
  const { columns, csvColumns, states } = words.orders;
  return [
    { label: columns.number, text: numberOf },
    { label: columns.store, text: ({ connectionId }) => storeOf(connectionId) },
    { label: columns.state, text: ({ state }) => states[state] },
    { label: columns.why, text: (order) => whyWords(orderFor(person, order), words) },
    { label: columns.total, amount: ({ orderTotal, currency }) => plain(orderTotal, currency) },
    { label: csvColumns.currency, text: ({ currency }) => currency ?? '' },
    { label: columns.recorded, amount: ({ recordedTotal, recordedCurrency }) => plain(recordedTotal, recordedCurrency) },
    { label: csvColumns.recordedCurrency, text: ({ recordedCurrency }) => recordedCurrency ?? '' },
    { label: columns.paid, text: ({ isPaid, paidAt }) => (isPaid && paidAt !== null ? sortableText(paidAt) : '') },
    { label: columns.changed, text: ({ updatedAt }) => sortableText(updatedAt) },
    { label: csvColumns.complianceId, text: ({ complianceId }) => complianceId ?? '' },
    { label: csvColumns.orderId, text: ({ orderId }) => orderId },
  ];
}

function plain(amount: string | null, currency: string | null): string | null {
  return amount === null || currency === null ? amount : plainAmount(amount, currency);
}

/** Which page of the list, as its address or its form says it. */
type Place = { after: string; before: string; n: string };

function placeOf(text: (name: string) => string): Place {
  return { after: text('after'), before: text('before'), n: text('n') };
}

async function showList(context: PageContext, asked: OrderListRequest, { sent, ...place }: Place & { sent?: Sent }): Promise<PageReply> {
  const { deps, words, person } = context;
  const find = (wanted: OrderListRequest['wanted']) => findOrders({ pool: deps.pool, connections: asked.stores }, wanted, place);
  // Only whether they may go by their totals depends on how many they are.
  const [sums, byTime] = await Promise.all([sumsFound(deps, asked.wanted), asked.wanted.byTotal == null ? find(asked.wanted) : null]);
  const found = byTime ?? (await find(sums.orders <= MOST_COUNTED ? asked.wanted : { ...asked.wanted, byTotal: null }));
  const page = { ...found, orders: found.orders.map((order) => orderFor(person, order)) };
  const changed = sent?.stale === undefined ? nothing : staleBanner(sent.stale, sent.note, words);
  const body = html`${changed}${filtersView(context, asked, sums)}${await listed(context, { ...asked, page, place, count: sums.orders, sent })}`;
  return { title: words.orders.title, place: 'orders', body, ...(sent === undefined ? {} : { status: sent.stale === undefined ? 422 : 409 }) };
}

function filtersView({ words, deps }: PageContext, { query, stores, wanted }: OrderListRequest, { counts, orders, total }: FoundSums): Html {
  const today = sofiaDay(deps.now().toISOString());
  const hits = html`<p><strong>${words.orders.hits(orders, MOST_COUNTED)}</strong>${total === null ? nothing : html`, ${money(total, words)}`}</p>\n`;
  return html`${filters({ query, stores, codes: reviewCodes(words.lang), today }, words)}
${stateChips({ query, counts, mostCounted: MOST_COUNTED }, words)}${hits}${query.q === '' ? nothing : outOf(words.orders.ofQuery(query.q), { ...query, q: '' }, words)}${query.missing === '' ? nothing : missingLine(query, words)}${sinceLine(query, words)}${wanted.isCut ? html`<p>${words.orders.cut}</p>\n` : nothing}${query.code === '' ? nothing : html`<p class="soft">${codeMeans(query.code, words.lang)}</p>\n`}`;
}

/** Which orders of a month these are, and the way out of it. */
function missingLine(query: OrderFilter, words: Words): Html {
  const month = monthName(query.missing.split('_')[1] ?? '', words.lang);
  return outOf(words.orders.missing.of(month), { ...query, missing: '' }, words);
}

function sinceLine(query: OrderFilter, words: Words): Html {
  const since = becameIn(query.since);
  return since === null ? nothing : outOf(words.orders.since[since.became](momentName(since.since, words.lang)), { ...query, since: '' }, words);
}

/** Which orders these are, and the way to all others. */
function outOf(which: string, others: OrderFilter, { orders }: Words): Html {
  return html`<p><strong>${which}</strong> <a href="${listAddress('orders', others)}">${orders.allOrders}</a></p>\n`;
}

/** `count`: how many are listed. */
type Found = OrderListRequest & { page: OrdersPage; place: Place; count: number; sent: Sent | undefined };

async function listed(context: PageContext, { page, place, count, sent, ...asked }: Found): Promise<Html> {
  const { words, deps, person } = context;
  const { query, stores, wanted } = asked;
  if (page.orders.length === 0 && page.unreadable === 0) {
    const isFiltered = Object.values(query).some((one) => one !== '');
    return html`<p class="banner">${isFiltered ? words.orders.none.filtered : words.orders.none.atAll}</p>`;
  }
  // Only those in review can be decided about.
  const isChoice = may(person.role, 'orders.decide') && page.orders.some(({ state }) => state === 'review');
  const list = ordersTable(
    { query, page, stores, isChoice, ticked: sent?.ticked ?? new Set(), today: sofiaDay(deps.now().toISOString()), isFew: count <= MOST_COUNTED },
    words,
  );
  const at = { before: rowsBefore(place.n), shown: page.orders.length + page.unreadable, count, most: MOST_COUNTED };
  const ways = listPaging({ ...placesOf(page, at), at, to: (other) => listAddress('orders', { ...query, ...other }) }, words);
  const more = ways.markup === '' ? nothing : html`\n<p class="verbs">${ways}</p>`;
  const unreadable = page.unreadable === 0 ? nothing : html`<p class="problem" role="alert">${words.orders.unreadable(page.unreadable)}</p>\n`;
  if (!isChoice) return html`${unreadable}${list}${more}`;
  return html`${unreadable}${bulkForm({ query, place, list, of: await seenByList(deps, wanted), mostCounted: MOST_COUNTED, sent }, words)}${more}`;
}

/** What somebody sent, and what is wrong with it. `ticked`: the ids of orders. `stale`: they have changed. */
type Sent = {
  note: string;
  how: string;
  all: boolean;
  ticked: ReadonlySet<number>;
  problem: 'none' | 'noNote' | 'noOutcome' | 'stale';
  stale?: Pick<Stale, 'sent' | 'now'>;
};

/** `of`: all that would be acted on. */
type Bulk = { query: OrderFilter; place: Place; list: Html; of: SeenOrders; mostCounted: number; sent?: Sent | undefined };

/** The list as a form: what is chosen in it is decided again, or resolved. */
function bulkForm({ query, place, list, of, mostCounted, sent }: Bulk, { orders }: Words): Html {
  const { bulk } = orders;
  const isMany = of.count > mostCounted;
  const all = bulk.all(orders.count(of.count, mostCounted));
  const problem = sent?.problem;
  const resolution = choices({
    ...{ name: 'how', legend: bulk.how, ways: (['not-a-sale', 'elsewhere'] as const).map((how) => [how, bulk[how]] as const), chosen: sent?.how },
    problem: problem === 'noOutcome' ? bulk.noOutcome : null,
  });
  const isResolving = problem === 'noNote' || problem === 'noOutcome' || (sent?.how ?? '') !== '';
  const body = html`${noDefault}${problem === 'none' ? html`<p class="problem" role="alert">${bulk.none}</p>\n` : nothing}
${list}
<section class="card bulk"><h2>${bulk.title}</h2>
<p><label><input type="checkbox" data-all=""> ${orders.selectPage}</label></p>
${isMany ? html`<p class="soft">${bulk.tooMany(mostCounted)}</p>` : tick({ name: 'all', value: '1', label: all, isOn: sent?.all ?? false })}
${field({ name: 'note', label: bulk.note, value: sent?.note ?? '', problem: problem === 'noNote' ? bulk.noNote : null })}
<p class="verbs">${button(bulk.release, { name: 'act', value: 'release', 'data-key': 'r' })}</p>
<details${attributes({ open: isResolving })}><summary>${bulk.resolve}</summary>
${resolution}
<p class="verbs">${button(bulk.resolveAll, { class: 'second', name: 'act', value: 'resolve' })}</p>
</details></section>`;
  return formTo('/console/orders', { hidden: { ...query, ...place, was: all, at: of.at }, seen: of.digest, body, buttons: [] });
}
