import { z } from 'zod';
import type { OrderNews } from '../../../order/facts/facts.ts';
import type { StoreAccess, StoreMeans } from '../../contract.ts';
import type { StoreInspection } from '../../onboarding.ts';
import { type AdminClient, adminClient } from '../api/admin-client.ts';
import { askSized } from '../api/node-cost.ts';
import { COSTS, SEEN } from '../api/queries.ts';
import { toNews } from '../api/read-orders.ts';
import { readWhole } from '../api/read-whole.ts';
import { gid, pageInfo } from '../api/shapes.ts';
import { percentText, rate } from '../payload.ts';

const LARGEST_PAGE = 100;
/** So many whole orders are read before it is seen whether there is time for more. */
const AT_ONCE = 10;
/** A shop of the smallest plan gives points for about one whole order a second: who waits for a page does not wait for all of them. */
const LONGEST_MS = 12_000;

const seen = z.object({
  id: gid,
  taxLines: z.array(z.object({ title: z.string(), rate })),
  transactions: z.array(z.object({ gateway: z.string().nullable(), formattedGateway: z.string().catch('') })),
});
const data = z.object({
  shop: z.object({ name: z.string(), currencyCode: z.string(), taxesIncluded: z.boolean() }),
  orders: z.object({ nodes: z.array(seen), pageInfo }),
});

type Seen = z.output<typeof seen>;
type Shop = z.output<typeof data>['shop'];
/** `longestMs`: no more whole orders are begun after that; default: 12 s. */
type AskedFor = { since: string; most: number; longestMs?: number };

/**
 * What the shop knows of itself, the rates and gateways of its newest orders since then, and those orders, as webhooks would have them: all that there is
 * time for, with at most half of the shop's points. One that can't be read has no snapshot. Shopify shows orders of 60 days, unless the app may read all.
 */
export async function inspectStore(access: StoreAccess, means: StoreMeans, { since, most, longestMs = LONGEST_MS }: AskedFor): Promise<StoreInspection> {
  const began = performance.now();
  const client = adminClient(access, means);
  const { shop, listed } = await listOrders(client, { since, most });
  const orders: OrderNews[] = [];
  while (orders.length < listed.length && (orders.length === 0 || performance.now() - began < longestMs)) {
    const block = listed.slice(orders.length, orders.length + AT_ONCE).map(({ id }) => id);
    const { whole } = await readWhole(client, block);
    const news = new Map(whole.map((one) => [one.order.id, toNews(one, means.now)]));
    orders.push(...block.map((orderId) => news.get(orderId) ?? { orderId }));
  }
  return { ...settingsOf(shop, listed), orders };
}

async function listOrders(client: AdminClient, { since, most }: Pick<AskedFor, 'since' | 'most'>): Promise<{ shop: Shop; listed: Seen[] }> {
  const query = `created_at:>='${since}'`;
  const listed: Seen[] = [];
  let after: string | null = null;
  while (true) {
    const { shop, orders }: z.output<typeof data> = await pageOf(client, { query, after, most: most - listed.length });
    listed.push(...orders.nodes);
    after = orders.pageInfo.endCursor;
    if (!orders.pageInfo.hasNextPage || after === null || listed.length >= most) return { shop, listed };
  }
}

async function pageOf(client: AdminClient, { query, after, most }: { query: string; after: string | null; most: number }): Promise<z.output<typeof data>> {
  const ask = (first: number) => ({ query: SEEN, variables: { query, after, first }, data });
  return (await askSized(client, { name: 'seen', most: Math.min(LARGEST_PAGE, most), guess: COSTS.seen, ask })).data;
}

function settingsOf({ name, currencyCode, taxesIncluded }: Shop, listed: readonly Seen[]): Omit<StoreInspection, 'orders'> {
  const taxes = listed.flatMap(({ taxLines }) => taxLines).map((line) => ({ name: line.title, rate: percentText(line.rate), country: '' }));
  const payments = listed.flatMap(({ transactions }) => transactions);
  const paidBy = payments.flatMap(({ gateway, formattedGateway }) => (gateway === null ? [] : [{ id: gateway, title: formattedGateway, enabled: true }]));
  return {
    store: { name, currency: currencyCode, decimals: null, pricesIncludeTax: taxesIncluded, roundAtSubtotal: null, version: null },
    rates: [...new Map(taxes.map((one) => [one.rate, one])).values()],
    gateways: [...new Map(paidBy.map((one) => [one.id, one])).values()],
    statuses: [],
  };
}
