import { z } from 'zod';
import type { OrderNews } from '../../order/facts.ts';
import type { StoreAccess, StoreMeans } from '../contract.ts';
import { readAt } from '../read-at.ts';
import type { FoundOrders, SoughtOrder } from '../store-reader.ts';
import { type WooOrder, wooOrder, wooPlaced } from './payload.ts';
import { readAnswer } from './read-answer.ts';
import { refundsOfAll } from './refunds-of-all.ts';
import { type Rest, restOf } from './rest.ts';
import { changedAt, newsOf } from './snapshot.ts';

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
    const news = orders.map((order): OrderNews => {
      const lines = refunds.get(order.id);
      return { ...newsOf(order, readAt(changedAt(order), means.now)), ...(lines === undefined ? {} : { refunds: lines }) };
    });
    found.news.push(...news);
    found.gone.push(...gone);
    found.unknown.push(...read.filter(({ order }) => order === null).map(({ id }) => id));
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
