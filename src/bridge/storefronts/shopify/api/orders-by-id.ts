import type { StoreAccess, StoreMeans } from '../../contract.ts';
import { readAt } from '../../read-at.ts';
import type { FoundOrders, SoughtOrder } from '../../store-reader.ts';
import { orderNews, type WholeNews } from '../order-news.ts';
import { toTransaction } from '../transaction.ts';
import { utc } from '../utc.ts';
import { type AdminClient, adminClient } from './admin-client.ts';
import { readWhole } from './read-whole.ts';
import { readsAllOrders } from './shop-access.ts';
import { toOrder, toTransactionPayload, type WholeOrder } from './to-order.ts';

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

type Asking = { access: StoreAccess; client: AdminClient; now: number };

/** Of the orders that the shop does not show: those that it would show if they existed. */
async function goneOf({ access, client, now }: Asking, missing: readonly SoughtOrder[]): Promise<string[]> {
  const isShown = ({ placedAt }: SoughtOrder) => placedAt !== null && now - Date.parse(placedAt) < HIDDEN_AFTER_MS;
  const showsAll = missing.every(isShown) || (await readsAllOrders(access, client));
  return missing.filter((order) => showsAll || isShown(order)).map(({ orderId }) => orderId);
}
