import { z } from 'zod';
import type { OrderNews } from '../../order/facts/facts.ts';
import { trimZeros } from '../amounts.ts';
import type { StoreAccess, StoreMeans } from '../contract.ts';
import type { StoreInspection } from '../onboarding.ts';
import { readAt } from '../store-reader.ts';
import { changedAt, isOwnStatus, newsOf } from './normalize.ts';
import { decodeEntities, wooOrder, wooPlaced } from './payload.ts';
import { refundsOfAll } from './read-orders.ts';
import { type Rest, readAnswer, restOf } from './rest.ts';

/** Whole orders in one answer: 200 kB each would still fit into what is read of one. */
const AT_ONCE = 25;
/** Only what is read: plugins put much more into an order. */
const FIELDS = Object.keys(wooOrder.shape).join(',');

const items = z.array(z.unknown());

/**
 * What the store knows of its taxes and payment methods, and its newest orders, placed since then, as webhooks would have them. One that can't be read
 * has no snapshot.
 */
export async function inspectStore(access: StoreAccess, means: StoreMeans, { since, most }: { since: string; most: number }): Promise<StoreInspection> {
  const rest = restOf(access, means);
  // First: whatever is wrong with address or key shows here, and is thrown.
  const orders: OrderNews[] = [];
  for (let page = 1, isLast = false; !isLast && orders.length < most; page += 1) {
    const read = await ordersOf(access, rest, { since, page, now: means.now });
    orders.push(...read.orders);
    isLast = read.isLast;
  }
  return { ...(await settingsOf(rest)), orders: orders.slice(0, most) };
}

type Page = { since: string; page: number; now: number };

// What was placed since then changed since then, too; later pages have older orders.
async function ordersOf(access: StoreAccess, rest: Rest, { since, page, now }: Page): Promise<{ orders: OrderNews[]; isLast: boolean }> {
  const from = since.slice(0, 19);
  const order = 'dates_are_gmt=true&orderby=date&order=desc';
  const path = `orders?status=any&modified_after=${from}&${order}&per_page=${AT_ONCE}&page=${page}&_fields=${FIELDS}&${rest.uncached}`;
  const { body, pages } = await rest.list(path);
  const all = readAnswer(items, body);
  const placed = all.map((item) => ({ at: readAnswer(wooPlaced, item), order: wooOrder.safeParse(item).data ?? null }));
  const listed = placed.filter(({ at }) => (at.date_created_gmt ?? from) >= from).map(({ at, order: whole }) => ({ id: at.id, order: whole }));
  const refunds = await refundsOfAll(
    access,
    rest,
    listed.flatMap(({ order: whole }) => whole ?? []),
  );
  const orders = listed.map(({ id, order: whole }): OrderNews => {
    const lines = refunds.get(id);
    if (whole === null || lines === null) return { orderId: id };
    return { ...newsOf(whole, readAt(changedAt(whole), now)), ...(lines === undefined ? {} : { refunds: lines }) };
  });
  // A plugin may take orders out of a page: that one has few does not make it the last.
  const isEnd = pages === undefined ? all.length < AT_ONCE : page >= pages;
  return { orders, isLast: isEnd || listed.length < placed.length };
}

const system = z.object({
  environment: z.object({ version: z.string() }).optional(),
  settings: z.object({ currency: z.string().optional(), number_of_decimals: z.coerce.number().int().optional() }).optional(),
});
const taxes = z.array(z.object({ country: z.string(), rate: z.string(), name: z.string().transform(decodeEntities) }));
const gateways = z.array(z.object({ id: z.string(), title: z.string().transform(decodeEntities).catch(''), enabled: z.boolean() }));
const settings = z.array(z.object({ id: z.string(), value: z.unknown() }));
const statuses = z.array(z.object({ slug: z.string(), name: z.string().transform(decodeEntities) }));

// What a store does not say, such as an older release or to this key, is no reason to stop.
async function settingsOf(rest: Rest): Promise<Omit<StoreInspection, 'orders'>> {
  const said = async <Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema> | null> => {
    const { status, body } = (await rest.call({ path })).answer;
    return status === 200 ? (schema.safeParse(body).data ?? null) : null;
  };
  const shop = await said(system, 'system_status?_fields=environment,settings');
  const ofTax = (await said(settings, 'settings/tax?_fields=id,value')) ?? [];
  const isOn = (id: string) => ofTax.filter((one) => one.id === id).map(({ value }) => value === 'yes')[0] ?? null;
  // Without `_fields` the answer has the gateways' own settings, and secrets among them.
  const paidBy = (await said(gateways, 'payment_gateways?_fields=id,title,enabled')) ?? [];
  const rates = (await said(taxes, 'taxes?per_page=100&_fields=country,rate,name')) ?? [];
  const known = (await said(statuses, 'orders/statuses')) ?? [];
  return {
    store: {
      name: null,
      currency: shop?.settings?.currency ?? null,
      decimals: shop?.settings?.number_of_decimals ?? null,
      pricesIncludeTax: isOn('woocommerce_prices_include_tax'),
      roundAtSubtotal: isOn('woocommerce_tax_round_at_subtotal'),
      version: shop?.environment?.version ?? null,
    },
    rates: rates.map(({ rate, ...one }) => ({ ...one, rate: trimZeros(rate) })),
    gateways: paidBy,
    statuses: known.map(({ slug, name }) => ({ id: slug, name })).filter(({ id }) => !isOwnStatus(id)),
  };
}
