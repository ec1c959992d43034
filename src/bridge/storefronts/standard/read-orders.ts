import { plainWords } from '../../../contract/plain-words.ts';
import type { OrderNews, Snapshot } from '../../order/facts/facts.ts';
import { Failure } from '../../order/facts/failure.ts';
import { addUp, subtract } from '../amounts.ts';
import { connectOptions } from '../connect-options.ts';
import type { MissingOfOrder, StoreAccess, StoreApi, StoreMeans } from '../contract.ts';
import { type ChangedPage, type ChangedQuery, type FoundOrders, latest, type OrderSummary, readAt, type SoughtOrder } from '../store-reader.ts';
import { askOrders, type ListedOrder, listedChange, ordersPage, queryUrl } from './ask-orders.ts';
import { normalize } from './normalize.ts';

const MOST = 100;
/** Characters of the ids in one address: servers take some 8,000 of the whole. */
const MOST_CHARS = 4_000;

export async function changedSince(access: StoreAccess, { since, after, size }: ChangedQuery, means: StoreMeans): Promise<ChangedPage> {
  const limit = String(Math.min(size, MOST));
  const { orders, next } = await askOrders(access, { changed_since: since, after: after ?? undefined, limit }, means);
  if (next !== null && (next === after || orders.length === 0)) throw stuck();
  return { summaries: orders.map((order) => summaryOf(order, means.now)), next };
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
async function complete(access: StoreAccess, { orderId, deleted }: MissingOfOrder, means: StoreMeans): Promise<OrderNews> {
  const { news, gone } = await ordersById(access, [{ orderId, placedAt: null }], means);
  const [order] = news;
  if (order !== undefined) return deleted ? { ...order, restored: true } : order;
  if (gone.length > 0) return deleted ? { orderId } : { orderId, deleted: true };
  throw new Failure('storefront.unreachable', `the shop’s endpoint does not list the order ${orderId} as docs/own-shop.md says, nor as deleted`);
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
  return new Failure(
    'storefront.unreachable',
    'the shop’s endpoint names a next page without end, or after one without orders; `next` must be null on the last page',
  );
}

/** The news that a webhook with this order would have been; null: it is not as described, or dated more than a day ahead of `now` (ms since 1970). */
function newsOf(listed: ListedOrder, now: number): OrderNews | null {
  const envelope = { topic: '', deliveryId: null, store: null, sentAt: new Date(now).toISOString() };
  const normalized = normalize(envelope, { data: { order: listed } });
  if (normalized.kind !== 'order' || normalized.news.snapshot === undefined) return null;
  const { snapshot } = normalized.news;
  return { ...normalized.news, snapshot: { ...snapshot, ...readAt(snapshot.updatedAt, now) } };
}

function isGone({ deleted }: ListedOrder): boolean {
  return deleted === true;
}

/** What the list says of an order. One that can't be read is listed as well: reading it whole then says so. */
function summaryOf(listed: ListedOrder, now: number): OrderSummary {
  const snapshot = isGone(listed) ? undefined : newsOf(listed, now)?.snapshot;
  return snapshot === undefined ? outlineOf(listed) : summaryOfSnapshot(listed.id, snapshot);
}

function summaryOfSnapshot(orderId: string, snapshot: Snapshot): OrderSummary {
  const { number, updatedAt, status, lifecycle, payment, test, currency, total, paidAt, placedAt, refunds } = snapshot;
  const kept = payment === 'paid' && refunds !== null ? subtract(total, addUp(refunds.map(({ amount }) => amount))) : null;
  const refundIds = refunds?.map(({ id }) => id) ?? null;
  return { orderId, number, updatedAt, status, lifecycle, payment, test, currency, total, soldAt: paidAt ?? placedAt, createdAt: placedAt, kept, refundIds };
}

function outlineOf(listed: ListedOrder): OrderSummary {
  const parsed = listedChange.safeParse(listed, { error: plainWords });
  if (!parsed.success) {
    const words = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`).join('; ');
    throw new Failure('storefront.unreachable', `the shop’s endpoint lists the order ${listed.id} without what its place in the list needs (${words})`);
  }
  const { id, number = id, status, currency, total, deleted, createdAt, updatedAt } = parsed.data;
  const isDeleted = deleted === true;
  return {
    orderId: id,
    number,
    updatedAt: utc(updatedAt),
    status: isDeleted ? 'deleted' : status,
    lifecycle: isDeleted ? 'trashed' : 'live',
    payment: status === 'paid' && !isDeleted ? 'paid' : 'unpaid',
    test: false,
    currency,
    total,
    soldAt: utc(createdAt ?? updatedAt),
    kept: null,
    refundIds: null,
    ...(isDeleted ? { isGone: true } : {}),
  };
}

function utc(instant: string): string {
  return new Date(instant).toISOString();
}

/** What is wrong with a shop's endpoint: it is tried with our signature, then without, which it must refuse. */
async function checkAccess(access: StoreAccess, means: StoreMeans): Promise<string[]> {
  const query = { changed_since: '1970-01-01T00:00:00.000Z', limit: '1' };
  try {
    const { orders } = await askOrders(access, query, means);
    for (const order of orders) summaryOf(order, means.now);
    const { status, body } = await means.fetchJson({ url: queryUrl(access, query).href });
    return status === 200 && ordersPage.safeParse(body).success ? [OPEN] : [];
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return [thrown.message.slice(`${thrown.code}: `.length)];
  }
}

const OPEN = 'the shop’s endpoint answers requests without a signature: anybody can read its orders; check the signature there, as docs/own-shop.md shows';

/** A change may be in the shop's list only after it was dated: its transaction takes time. */
const LAG_MS = 60_000;

/** An endpoint of the shop's own, which lists its orders as docs/own-shop.md says; our requests are signed with the connection's secret. */
export const api: StoreApi = {
  ...connectOptions.standard.api,
  changedSince,
  lagMs: LAG_MS,
  isSorted: true,
  ordersById,
  checkAccess,
  complete,
};
