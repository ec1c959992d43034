import { z } from 'zod';
import type { OrderNews } from '../../../order/facts/facts.ts';
import { Failure } from '../../../order/facts/failure.ts';
import type { MissingOfOrder, StoreAccess, StoreMeans } from '../../contract.ts';
import { type ChangedPage, type ChangedQuery, type FoundOrders, type OrderSummary, readAt, type SoughtOrder } from '../../store-reader.ts';
import { isCancelled, microText, paymentOf, statusText, utc } from '../payload.ts';
import { orderNews, type WholeNews } from '../snapshot.ts';
import { toTransaction } from '../transaction.ts';
import { type AdminClient, adminClient } from './admin-client.ts';
import { askSized } from './node-cost.ts';
import { COSTS, SUMMARIES, SUMMARY_REFUNDS } from './queries.ts';
import { readWhole } from './read-whole.ts';
import { pageInfo, type SummaryShape, summaryShape } from './shapes.ts';
import { readsAllOrders } from './shop-access.ts';
import { lower, toOrder, toTransactionPayload, type WholeOrder } from './to-order.ts';

const LARGEST_PAGE = 250;
/** Pages end at 25,000 orders: before that the sync run goes on in a new window. */
const WINDOW = 20_000;

/** Where a page ended: in the window of what changed at `since` or later, after `cursor`, `count` orders from its beginning. */
const place = z.object({ since: z.string(), cursor: z.string().nullable(), count: z.number() });
type Place = z.output<typeof place>;

const data = z.object({ orders: z.object({ nodes: z.array(summaryShape), pageInfo }) });

/** The orders of a shop by time of change. It shows those of the last 60 days, unless the app may read all. */
export async function changedSince(access: StoreAccess, { since, after, size }: ChangedQuery, means: StoreMeans): Promise<ChangedPage> {
  const from: Place = after === null ? { since, cursor: null, count: 0 } : place.parse(JSON.parse(after));
  const client = adminClient(access, means);
  const variables = { after: from.cursor, query: `updated_at:>='${wholeSecond(from.since)}'` };
  const page = await askSized(client, {
    ...{ name: 'summaries', most: Math.min(size, LARGEST_PAGE), guess: COSTS.summaries },
    ask: (first) => ({ query: SUMMARIES, variables: { ...variables, first }, data }),
  });
  const { nodes, pageInfo: end } = page.data.orders;
  const last = nodes.at(-1);
  const isMore = last !== undefined && end.hasNextPage;
  const next = isMore ? placeAfter(from, { count: nodes.length, last: last.updatedAt, cursor: end.endCursor }) : null;
  return { summaries: nodes.map(toSummary), next: next === null ? null : JSON.stringify(next) };
}

function placeAfter({ since, count: before }: Place, { count: more, last, cursor }: { count: number; last: string; cursor: string | null }): Place {
  const count = before + more;
  // So many changes in one second can only be followed by the cursor.
  const isMoving = wholeSecond(last) !== wholeSecond(since);
  return count >= WINDOW && isMoving ? { since: last, cursor: null, count: 0 } : { since, cursor, count };
}

function wholeSecond(instant: string): string {
  return `${utc(instant).slice(0, 19)}Z`;
}

/** What webhooks say of an order's refunds and edits is not in its summary, so its total is made of the shop's own sums. */
function toSummary(summary: SummaryShape): OrderSummary {
  const order = {
    financial_status: lower(summary.displayFinancialStatus),
    cancelled_at: summary.cancelledAt,
    total_outstanding: summary.totalOutstandingSet,
  };
  const payment = paymentOf(order);
  const comesTo = summary.currentTotalPriceSet - (payment === 'paid' ? summary.totalOutstandingSet : 0n);
  return {
    orderId: summary.id,
    number: summary.name,
    updatedAt: utc(summary.updatedAt),
    status: statusText(order),
    lifecycle: isCancelled(order) ? 'cancelled' : 'live',
    payment,
    test: summary.test,
    currency: summary.currencyCode,
    total: microText(comesTo + summary.totalRefundedSet),
    totalMayDiffer: true,
    soldAt: utc(summary.processedAt),
    createdAt: utc(summary.createdAt),
    kept: microText(summary.netPaymentSet),
    refundIds: summary.refunds.length < SUMMARY_REFUNDS ? summary.refunds.map(({ id }) => id) : null,
  };
}

/** Orders older than this are hidden from apps without the scope read_all_orders; a day is left for clocks and days of another length. */
const HIDDEN_AFTER_MS = 59 * 24 * 3_600_000;

/** Whole orders, with all their refunds and payments. One that can't be read, or is not shown and may only be hidden, is `unknown`. */
export async function ordersById(access: StoreAccess, sought: readonly SoughtOrder[], means: StoreMeans): Promise<FoundOrders> {
  const client = adminClient(access, means);
  const { whole, missing, unread } = await readWhole(
    client,
    sought.map(({ orderId }) => orderId),
  );
  const gone = await goneOf(
    { access, client, now: means.now },
    sought.filter(({ orderId }) => missing.includes(orderId)),
  );
  return { news: whole.map((one) => toNews(one, means.now)), gone, unknown: [...unread, ...missing.filter((orderId) => !gone.includes(orderId))] };
}

/** An order as its webhooks would tell of it, and all of its payments. */
export function toNews(read: WholeOrder, now: number): WholeNews {
  const order = toOrder(read);
  const news = orderNews(order, readAt(utc(order.updated_at), now));
  const payments = read.order.transactions.map((raw) => toTransaction(toTransactionPayload(raw)));
  const all = [...payments, ...news.transactions];
  return { ...news, transactions: [...new Map(all.map((one) => [one.id, one])).values()] };
}

/** Of the orders that the shop does not show: those that it would show if they existed. */
async function goneOf({ access, client, now }: { access: StoreAccess; client: AdminClient; now: number }, missing: readonly SoughtOrder[]): Promise<string[]> {
  const isShown = ({ placedAt }: SoughtOrder) => placedAt !== null && now - Date.parse(placedAt) < HIDDEN_AFTER_MS;
  const showsAll = missing.every(isShown) || (await readsAllOrders(access, client));
  return missing.filter((order) => showsAll || isShown(order)).map(({ orderId }) => orderId);
}

/**
 * Webhooks leave out nothing of an order's money: what is queried is whether an order that one calls deleted is gone. One that is too old to be shown
 * to the app may be there; then it is left as the webhook said.
 */
export async function complete(access: StoreAccess, { orderId, deleted }: MissingOfOrder, means: StoreMeans): Promise<OrderNews> {
  const client = adminClient(access, means);
  const { whole, missing } = await readWhole(client, [orderId]);
  const [read] = whole;
  if (read !== undefined) return deleted ? { ...toNews(read, means.now), restored: true } : toNews(read, means.now);
  if (missing.length === 0) throw new Failure('storefront.unreachable', `order ${orderId} can’t be read; it is retried later`);
  return !deleted && (await readsAllOrders(access, client)) ? { orderId, deleted: true } : { orderId };
}
