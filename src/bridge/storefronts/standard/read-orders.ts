import type { OrderNews } from '../../order/facts.ts';
import { Failure } from '../../order/failure.ts';
import type { Missing, StoreAccess, StoreMeans } from '../contract.ts';
import { latest } from '../latest.ts';
import type { ChangedPage, ChangedQuery, FoundOrders, SoughtOrder } from '../store-reader.ts';
import { askOrders } from './ask-orders.ts';
import { headOf, isGone, newsOf } from './listed-order.ts';
import type { ListedOrder } from './orders-answer.ts';

const MOST = 100;
/** Characters of the ids in one address: servers take some 8,000 of the whole. */
const MOST_CHARS = 4_000;

export async function changedSince(access: StoreAccess, { since, after, size }: ChangedQuery, means: StoreMeans): Promise<ChangedPage> {
  const limit = String(Math.min(size, MOST));
  const { orders, next } = await askOrders(access, { changed_since: since, after: after ?? undefined, limit }, means);
  if (next !== null && next === after) throw stuck();
  return { heads: orders.map((order) => headOf(order, means.now)), next };
}

/** An order that the shop does not list although it was asked for it is not gone: only its own word says that. */
export async function ordersById(access: StoreAccess, sought: readonly SoughtOrder[], means: StoreMeans): Promise<FoundOrders> {
  const ids = [...new Set(sought.map(({ orderId }) => orderId))];
  const listed = await askAll(access, ids, means);
  const found: FoundOrders = { news: [], gone: [], unknown: [] };
  for (const id of ids) {
    const order = listed.get(id);
    const news = order === undefined || isGone(order) ? null : newsOf(order, means.now);
    if (news !== null) found.news.push(news);
    else (order !== undefined && isGone(order) ? found.gone : found.unknown).push(id);
  }
  return found;
}

async function askAll(access: StoreAccess, ids: readonly string[], means: StoreMeans): Promise<ReadonlyMap<string, ListedOrder>> {
  const listed: ListedOrder[] = [];
  for (const block of blocksOf(ids.filter(isAskable))) listed.push(...(await askBlock(access, block, means)));
  return latest(listed, { id: ({ id }) => id, changedAt });
}

/** One that is gone for good changes no more, whenever that was. */
function changedAt(order: ListedOrder): string {
  const at = Date.parse(String(order['updatedAt'] ?? ''));
  return Number.isNaN(at) ? (isGone(order) ? '~' : '') : new Date(at).toISOString();
}

/** Whether an order that was reported as gone is. */
export async function complete(access: StoreAccess, { orderId, deleted }: Missing, means: StoreMeans): Promise<OrderNews> {
  const { news, gone } = await ordersById(access, [{ orderId, placedAt: null }], means);
  const [order] = news;
  if (order !== undefined) return deleted ? { ...order, restored: true } : order;
  if (gone.length > 0) return deleted ? { orderId } : { orderId, deleted: true };
  throw new Failure('storefront.unreachable', `the shop’s endpoint does not list the order ${orderId} as docs/standard-webhooks.md says, nor as deleted`);
}

/** The ids of one list are separated by commas. */
function isAskable(id: string): boolean {
  return !id.includes(',');
}

function blocksOf(ids: readonly string[]): string[][] {
  const blocks: string[][] = [];
  let chars = 0;
  for (const id of ids) {
    const size = encodeURIComponent(id).length + 3;
    const block = blocks.at(-1);
    const isFull = block === undefined || block.length === MOST || chars + size > MOST_CHARS;
    if (isFull) blocks.push([id]);
    else block.push(id);
    chars = isFull ? size : chars + size;
  }
  return blocks;
}

/** A shop may answer in several pages, at least one order each. */
async function askBlock(access: StoreAccess, ids: readonly string[], means: StoreMeans): Promise<ListedOrder[]> {
  const found: ListedOrder[] = [];
  let after: string | undefined;
  for (let page = 0; page < ids.length; page += 1) {
    const { orders, next } = await askOrders(access, { ids: ids.join(','), after }, means);
    found.push(...orders);
    if (next === null) return found;
    after = next;
  }
  throw stuck();
}

function stuck(): Failure {
  return new Failure('storefront.unreachable', 'the shop’s endpoint names a next page without end; `next` must be null on the last page');
}
