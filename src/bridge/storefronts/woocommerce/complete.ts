import type { z } from 'zod';
import type { OrderNews, Refund, RefundLine } from '../../order/facts.ts';
import { Failure } from '../../order/failure.ts';
import { absolute, addUp, isZero, negate, trimZeros } from '../amounts.ts';
import type { FetchJson, FetchMeans, Missing, StoreAccess } from '../contract.ts';
import { credentialOf } from '../credential-of.ts';
import { type WooRefund, type WooRefundLine, wooError, wooOrder, wooRefunds } from './payload.ts';
import { newsOf, utc } from './snapshot.ts';

const PER_PAGE = 100;
const MAX_PAGES = 20;

type Get = (path: string) => Promise<{ found: true; body: unknown } | { found: false }>;

/**
 * Fetches from the store the lines of refunds, and whether a trashed order is back or gone. Refunds that it no longer lists are left out.
 * Throws `Failure('storefront.unreachable')`, or `storefront.refused` if it refuses the key, with words that say what to do.
 */
export async function complete(access: StoreAccess, missing: Missing, { fetchJson }: FetchMeans): Promise<OrderNews> {
  const get = getFrom(access, fetchJson);
  const news = missing.deleted ? await fetchOrder(get, missing.orderId) : { orderId: missing.orderId };
  if (missing.refundIds.length === 0) return news;
  const refunds = await fetchRefunds(get, missing);
  return { ...news, refunds };
}

async function fetchOrder(get: Get, orderId: string): Promise<OrderNews> {
  const answer = await get(`orders/${orderId}`);
  // Deleted for good, as the webhook has said.
  if (!answer.found) return { orderId };
  const news = newsOf(read(wooOrder, answer.body));
  return news.snapshot.lifecycle === 'trashed' ? news : { ...news, restored: true };
}

async function fetchRefunds(get: Get, { orderId, refundIds }: Missing): Promise<Refund[]> {
  const refunds: Refund[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await get(`orders/${orderId}/refunds?per_page=${PER_PAGE}&page=${page}`);
    const listed = answer.found ? read(wooRefunds, answer.body) : [];
    refunds.push(...listed.filter(({ id }) => refundIds.includes(id)).map(toRefund));
    if (listed.length < PER_PAGE) return refunds;
  }
  throw new Failure('storefront.unreachable', `order ${orderId} lists more than ${PER_PAGE * MAX_PAGES} refunds: record it by hand`);
}

function toRefund(refund: WooRefund): Refund {
  const lines = [...refund.line_items, ...refund.shipping_lines, ...refund.fee_lines].flatMap(toRefundLine);
  return { id: refund.id, at: utc(refund.date_created_gmt), amount: absolute(refund.amount), transactions: [], lines };
}

// Negated: what a refund gives back is below zero, and above for a fee that was a discount. A line that names none of the
// order's is left out; its money is in the refund's amount.
function toRefundLine({ quantity, total, total_tax, meta_data }: WooRefundLine): RefundLine[] {
  const given = meta_data.find(({ key }) => key === '_refunded_item_id')?.value;
  const lineId = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
  const line = { lineId, quantity: trimZeros(absolute(quantity ?? '0')), amount: negate(addUp([total, total_tax])) };
  return lineId === '' || (isZero(line.quantity) && isZero(line.amount)) ? [] : [line];
}

function getFrom(access: StoreAccess, fetchJson: FetchJson): Get {
  const base = `${access.url.replace(/\/+$/, '')}/wp-json/wc/v3/`;
  const authorization = `Basic ${Buffer.from(`${credentialOf(access, 'consumerKey')}:${credentialOf(access, 'consumerSecret')}`).toString('base64')}`;
  return async (path) => {
    const { status, body } = await fetchJson({ url: base + path, authorization });
    if (status === 200) return { found: true, body };
    if (status === 404 && isGone(body)) return { found: false };
    throw new Failure(isRefused(status) ? 'storefront.refused' : 'storefront.unreachable', `the store answered ${status}: ${todo(status)}`);
  };
}

// A wrong address answers 404 too; only WooCommerce's own error code means that the order is gone.
function isGone(body: unknown): boolean {
  const error = wooError.safeParse(body);
  return error.success && /^woocommerce_rest_.*invalid_.*id$/.test(error.data.code);
}

function isRefused(status: number): boolean {
  return status === 401 || status === 403;
}

function todo(status: number): string {
  if (isRefused(status)) return 'its REST key is refused; make one with read rights under WooCommerce → Settings → Advanced → REST API, and connect again';
  if (status >= 300 && status < 400) return 'its address redirects; connect again with the final one (https, with or without www)';
  if (status === 404) return 'no WooCommerce REST API at this address; check the store’s URL, and that permalinks are not set to “Plain”';
  return 'it is called again later; look at the store’s own log if it lasts';
}

function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map(({ path }) => path.map(String).join('.') || 'the body').join(', ');
  throw new Failure('storefront.unreachable', `the store’s answer is not WooCommerce’s (${where}); check its URL and its security plugins`, {
    cause: parsed.error,
  });
}
