import type { OrderNews } from '../../../src/bridge/order/facts/facts.ts';
import { Failure } from '../../../src/bridge/order/facts/failure.ts';
import type { StoreAccess, StoreApi, Storefronts, StoreMeans } from '../../../src/bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../../src/bridge/storefronts/registry.ts';
import type { OrderSummary } from '../../../src/bridge/storefronts/store-reader.ts';
import type { StoreOrder } from '../servers/changing-store.ts';

const standard = storefrontOf(storefronts, 'standard');

/** How a `ChangingStore` is read. */
const changingStoreApi: StoreApi = {
  words: 'It is read as a second source.',
  credentials: {},
  lagMs: 60_000,
  complete: () => Promise.reject(new Error('nothing is left out')),
  async changedSince(access, { since, after, size }, means) {
    const query = new URLSearchParams({ since, size: String(size), ...(after === null ? {} : { after }) });
    const { orders, next } = await get<{ orders: StoreOrder[]; next: string | null }>(access, `/changed?${query}`, means);
    return { summaries: orders.map(summaryOf), next };
  },
  async ordersById(access, sought, means) {
    const ids = sought.map(({ orderId }) => orderId).join(',');
    const { orders, gone } = await get<{ orders: StoreOrder[]; gone: string[] }>(access, `/orders?ids=${ids}`, means);
    return { news: orders.map(newsOf), gone, unknown: [] };
  },
};

/** The registry, whose own shops are read this way. */
export const readStorefronts: Storefronts = { ...storefronts, standard: { ...standard, api: changingStoreApi } };

/** Stores whose webhooks and whose API name them. */
const woocommerce = storefrontOf(storefronts, 'woocommerce');
const storeName: StoreApi['storeName'] = async (access, means) => (await get<{ name: string }>(access, '/name', means)).name;
export const namedStorefronts: Storefronts = { ...storefronts, woocommerce: { ...woocommerce, api: { ...changingStoreApi, storeName } } };

async function get<T>({ url }: StoreAccess, path: string, { fetchJson }: StoreMeans): Promise<T> {
  const { status, body } = await fetchJson({ url: `${url}${path}` });
  if (status === 401) throw new Failure('storefront.refused', 'the key is refused');
  if (status !== 200) throw new Failure('storefront.unreachable', `the store answered ${status}`);
  return body as T;
}

function newsOf(order: StoreOrder): OrderNews {
  const normalized = standard.normalize({ topic: '', deliveryId: null, store: null }, { type: 'order.updated', timestamp: order.updatedAt, data: { order } });
  if (normalized.kind !== 'order') throw new Error(`no order: ${JSON.stringify(normalized)}`);
  return normalized.news;
}

function summaryOf(order: StoreOrder): OrderSummary {
  const { orderId, snapshot } = newsOf(order);
  if (snapshot === undefined) throw new Error('an order without a state');
  const { number, updatedAt, status, lifecycle, payment, test, currency, total, paidAt, placedAt, refunds } = snapshot;
  return {
    ...{ orderId, number, updatedAt, status, lifecycle, payment, test, currency, total, soldAt: paidAt ?? placedAt, kept: null },
    refundIds: refunds?.map(({ id }) => id) ?? null,
  };
}
