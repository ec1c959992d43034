import { codeMeans, reviewCodes } from '../../../operations/orders/code-means.ts';
import { seenByList } from '../../../operations/orders/decide-many.ts';
import { countStates, findOrders, MOST_COUNTED, type OrdersPage } from '../../../operations/orders/find-orders.ts';
import type { OrdersQuery } from '../../../operations/orders/orders-wanted.ts';
import { may } from '../../../operations/people/rights.ts';
import { orderFor } from '../../../operations/sheets/quoted-words.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { PageContext, Reply } from '../../base/page.ts';
import { monthName } from '../../frame/parts.ts';
import { staleBanner } from '../../frame/stale.ts';
import type { Words } from '../../words/words.ts';
import { bulkForm, type Sent } from './bulk-form.ts';
import { noneFound } from './none-found.ts';
import { listAddress, type OrdersAsked } from './orders-asked.ts';
import { chips, filters, ordersTable } from './orders-view.ts';

type Listing = { after: string; sent?: Sent };

/** A page of the list; one hit of a number is gone on to. */
export async function showList(context: PageContext, asked: OrdersAsked, { after, sent }: Listing): Promise<Reply> {
  const { deps, words, person } = context;
  const wanted = await findOrders({ pool: deps.pool, connections: asked.stores }, asked.wanted, { after });
  const page = { ...wanted, orders: wanted.orders.map((order) => orderFor(person, order)) };
  const [only, ...others] = page.orders;
  const isOne = asked.wanted.byNumber && only !== undefined && others.length === 0 && after === '' && sent === undefined;
  if (isOne) return { goTo: `/console/orders/${only.id}` };
  const changed = sent?.stale === undefined ? nothing : staleBanner(sent.stale, sent.note, words);
  const body = html`${changed}${await choices(context, asked)}${await found(context, { ...asked, page, sent })}`;
  return { title: words.orders.title, place: 'orders', body, ...(sent === undefined ? {} : { status: sent.stale === undefined ? 422 : 409 }) };
}

async function choices({ words, deps }: PageContext, { query, stores, wanted }: OrdersAsked): Promise<Html> {
  const counts = await countStates(deps, wanted);
  const areOfThese = [query.q, query.month, query.code, query.from, query.to, query.missing].every((one) => one === '');
  return html`${filters({ query, stores, codes: reviewCodes(words.lang) }, words)}
${chips({ query, counts: areOfThese ? counts : null, mostCounted: MOST_COUNTED, states: [...counts.keys()] }, words)}
${query.missing === '' ? nothing : missingLine(query, wanted.isCut, words)}${query.code === '' ? nothing : html`<p class="soft">${codeMeans(query.code, words.lang)}</p>\n`}`;
}

/** Which orders of a month these are, and the way out of it. */
function missingLine(query: OrdersQuery, isCut: boolean, words: Words): Html {
  const { missing } = words.orders;
  const month = monthName(query.missing.split('_')[1] ?? '', words.lang);
  return html`<p><strong>${missing.of(month)}</strong> <a href="${listAddress({ ...query, missing: '' })}">${missing.all}</a>${isCut ? html` ${missing.cut}` : nothing}</p>\n`;
}

type Found = OrdersAsked & { page: OrdersPage; sent: Sent | undefined };

async function found(context: PageContext, { page, sent, ...asked }: Found): Promise<Html> {
  const { words, deps, person } = context;
  const { query, stores, wanted } = asked;
  if (page.orders.length === 0 && page.unreadable === 0) return noneFound(context, asked);
  // Only who waits for a person can be decided about.
  const isChoice =
    may(person.role, 'orders.decide') &&
    (query.state === 'review' || query.state === 'asked' || (query.state === '' && (query.code !== '' || query.missing !== '')));
  const list = ordersTable({ page, stores, isChoice, ticked: sent?.ticked ?? new Set() }, words);
  const more =
    page.next === null
      ? nothing
      : html`\n<p><a class="verb second" rel="next" href="${listAddress({ ...query, after: page.next })}">${words.frame.more}</a></p>`;
  const unreadable = page.unreadable === 0 ? nothing : html`<p class="problem" role="alert">${words.orders.unreadable(page.unreadable)}</p>\n`;
  if (!isChoice) return html`${unreadable}${list}${more}`;
  return html`${unreadable}${bulkForm({ query, list, of: await seenByList(deps, wanted), mostCounted: MOST_COUNTED, sent }, words)}${more}`;
}
