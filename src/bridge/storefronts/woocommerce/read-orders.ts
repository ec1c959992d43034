import { z } from 'zod';
import type { OrderNews, Refund, Snapshot } from '../../order/facts/facts.ts';
import { Failure } from '../../order/facts/failure.ts';
import { addUp, isZero, subtract } from '../amounts.ts';
import type { MissingOfOrder, StoreAccess, StoreMeans } from '../contract.ts';
import { type FoundOrders, readAt, type SoughtOrder } from '../store-reader.ts';
import { changedAt, newsOf, toRefund, type WooNews } from './normalize.ts';
import { type WooOrder, type WooRefund, wooCode, wooOrder, wooPlaced, wooRefund, wooRefunds } from './payload.ts';
import { knownStore, learn, type Rest, readAnswer, restFailure, restOf } from './rest.ts';

/** Whole orders in one answer: 200 kB each would still fit into what is read of one. */
const AT_ONCE = 25;
/** Only what is read: plugins put much more into an order. */
const FIELDS = Object.keys(wooOrder.shape).join(',');

const items = z.array(z.unknown());
const named = wooPlaced.pick({ id: true });

/** An order, or that it can't be read. */
type Read = { id: string; order: WooOrder | null };

/** Whole orders, those in the trash included, with the lines of their refunds: as webhooks would have them. */
export async function ordersById(access: StoreAccess, sought: readonly SoughtOrder[], means: StoreMeans): Promise<FoundOrders> {
  const rest = restOf(access, means);
  const found: FoundOrders = { news: [], gone: [], unknown: [] };
  for (let at = 0; at < sought.length; at += AT_ONCE) {
    const ids = sought.slice(at, at + AT_ONCE).map(({ orderId }) => orderId);
    const { read, gone } = await readBlock(rest, ids);
    const orders = read.flatMap(({ order }) => order ?? []);
    const refunds = await refundsOfAll(access, rest, orders);
    for (const { id, order } of read) {
      const lines = refunds.get(id);
      if (order === null || lines === null) found.unknown.push(id);
      else found.news.push({ ...newsOf(order, readAt(changedAt(order), means.now)), ...(lines === undefined ? {} : { refunds: lines }) });
    }
    found.gone.push(...gone);
  }
  return found;
}

async function readBlock(rest: Rest, ids: readonly string[]): Promise<{ read: Read[]; gone: string[] }> {
  const read = await listed(rest, ids, 'any');
  const missing = (from: readonly Read[]) => ids.filter((id) => from.every((one) => one.id !== id));
  // One that is missing is asked for by itself at once.
  if (missing(read).length > 1) read.push(...(await listed(rest, missing(read), 'trash')));
  const gone: string[] = [];
  for (const id of missing(read)) {
    const answer = await rest.find(`orders/${id}?_fields=${FIELDS}&${rest.uncached}`);
    if (!answer.found) gone.push(id);
    else read.push({ id, order: wooOrder.safeParse(answer.body).data ?? null });
  }
  return { read, gone };
}

/** Those of the orders that a list of this status has; none that was not asked for. */
async function listed(rest: Rest, ids: readonly string[], status: 'any' | 'trash'): Promise<Read[]> {
  const path = `orders?status=${status}&include=${ids.join(',')}&per_page=${ids.length}&_fields=${FIELDS}&${rest.uncached}`;
  return readAnswer(items, await rest.get(path)).flatMap((item) => {
    const { id } = readAnswer(named, item);
    return ids.includes(id) ? [{ id, order: wooOrder.safeParse(item).data ?? null }] : [];
  });
}

const ALL_DECIMALS = 'dp=6';

/**
 * Fetches from the store the lines of refunds, whether a trashed order is back or gone, and the order as it is now, with all decimals of its
 * amounts. Refunds that it no longer lists are left out. Throws `Failure('storefront.unreachable')`, or `storefront.refused` if it refuses the
 * key, with words that say what to do.
 */
export async function complete(access: StoreAccess, missing: MissingOfOrder, means: StoreMeans): Promise<OrderNews> {
  const rest = restOf(access, means);
  const news = await fetchOrder(rest, missing, means.now);
  // What was read of the order is the newest state of it: no later webhook would have the lines of its refunds fetched.
  const listed = (news.snapshot?.refunds ?? []).map(({ id }) => id);
  const refundIds = [...new Set([...missing.refundIds, ...listed])];
  if (refundIds.length === 0) return news;
  return { ...news, refunds: among(refundIds, readAnswer(wooRefunds, await orderRefunds(rest, missing.orderId))) };
}

function isWhole({ order, exact }: MissingOfOrder): boolean {
  return order === true || exact === true;
}

async function fetchOrder(rest: Rest, missing: MissingOfOrder, now: number): Promise<OrderNews> {
  const { orderId, deleted, order: inDoubt, exact } = missing;
  if (!isWhole(missing) && !deleted) return { orderId };
  const answer = await rest.find(exact ? `orders/${orderId}?${ALL_DECIMALS}` : `orders/${orderId}`);
  // Gone for good; that is no news of a deletion that a webhook has reported, unless the order was said to have changed since.
  if (!answer.found) return deleted && inDoubt !== true ? { orderId } : { orderId, deleted: true };
  const order = readAnswer(wooOrder, answer.body);
  const news = exact ? await exactNews(rest, order, now) : newsOf(order, readAt(changedAt(order), now));
  const isBack = deleted && news.snapshot.lifecycle !== 'trashed';
  return isBack ? { ...news, restored: true } : news;
}

// A shop without decimals may add up only as it shows its amounts: then nothing more exact can be known.
async function exactNews(rest: Rest, order: WooOrder, now: number): Promise<WooNews> {
  const news = newsOf(order, { allDecimals: true, exact: true, ...readAt(changedAt(order), now) });
  if (addsUp(news.snapshot)) return news;
  const answer = await rest.find(`orders/${order.id}`);
  if (!answer.found) return news;
  const asShown = readAnswer(wooOrder, answer.body);
  return newsOf(asShown, { exact: true, ...readAt(changedAt(asShown), now) });
}

function addsUp({ lines, total, mayBeOff, problems }: Snapshot): boolean {
  const sum = addUp(lines.map(({ gross, discount }) => subtract(gross, discount)));
  return problems.length === 0 && (mayBeOff !== undefined || isZero(subtract(sum, total)));
}

const REFUNDS_AT_ONCE = 100;

type Refunded = { orderId: string; refundIds: string[] };

/**
 * The refunds that orders list, with their lines, by the orders' ids: of several orders by one request for all, as far as that answers; WooCommerce
 * before 9 has no such list. Those that the store no longer lists are left out. Null: one of the order's can't be read.
 */
export async function refundsOfAll(access: StoreAccess, rest: Rest, orders: readonly WooOrder[]): Promise<Map<string, Refund[] | null>> {
  const refunded = orders.flatMap(({ id, refunds }): Refunded[] => (refunds?.length ? [{ orderId: id, refundIds: refunds.map((one) => one.id) }] : []));
  const known = refunded.length > 1 ? await listedRefunds(access, rest, refunded) : new Map<string, Refund>();
  const all = new Map<string, Refund[] | null>();
  for (const { orderId, refundIds } of refunded) {
    const found = refundIds.flatMap((id) => known.get(id) ?? []);
    if (found.length < refundIds.length) {
      const read = wooRefunds.safeParse(await orderRefunds(rest, orderId));
      all.set(orderId, read.success ? among(refundIds, read.data) : null);
    } else all.set(orderId, found);
  }
  return all;
}

async function listedRefunds(access: StoreAccess, rest: Rest, refunded: readonly Refunded[]): Promise<Map<string, Refund>> {
  const ids = refunded.flatMap(({ refundIds }) => refundIds);
  const known = new Map<string, Refund>();
  for (let at = 0; at < ids.length && knownStore(access.url).hasNoRefundsList !== true; at += REFUNDS_AT_ONCE) {
    const tried = await rest.call({ path: `refunds?include=${ids.slice(at, at + REFUNDS_AT_ONCE).join(',')}&per_page=${REFUNDS_AT_ONCE}&${rest.uncached}` });
    const { status, body } = tried.answer;
    if (status === 404 && wooCode(body) === 'rest_no_route') learn(access.url, { hasNoRefundsList: true });
    else if (status !== 200) throw restFailure(access, tried);
    else
      for (const item of readAnswer(items, body)) {
        const refund = wooRefund.safeParse(item);
        if (refund.success) known.set(refund.data.id, toRefund(refund.data));
      }
  }
  return known;
}

function among(refundIds: readonly string[], listed: readonly WooRefund[]): Refund[] {
  return listed.filter(({ id }) => refundIds.includes(id)).map(toRefund);
}

const PER_PAGE = 100;
const MAX_PAGES = 20;

/** What an order lists of its refunds, with their lines. */
async function orderRefunds(rest: Rest, orderId: string): Promise<unknown[]> {
  const refunds: unknown[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await rest.find(`orders/${orderId}/refunds?per_page=${PER_PAGE}&page=${page}`);
    const listed = answer.found ? readAnswer(items, answer.body) : [];
    refunds.push(...listed);
    if (listed.length < PER_PAGE) return refunds;
  }
  throw new Failure('storefront.unreachable', `order ${orderId} lists more than ${PER_PAGE * MAX_PAGES} refunds: record it by hand`);
}
