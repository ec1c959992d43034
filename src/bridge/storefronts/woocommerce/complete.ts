import type { z } from 'zod';
import type { OrderNews, Refund, RefundLine, Snapshot } from '../../order/facts.ts';
import { Failure } from '../../order/failure.ts';
import { absolute, addUp, isNegative, isZero, multiply, negate, subtract, trimZeros } from '../amounts.ts';
import type { FetchJson, Missing, StoreAccess, StoreMeans } from '../contract.ts';
import { smallestAmount } from './line-money.ts';
import { type WooOrder, type WooRefund, type WooRefundLine, wooError, wooOrder, wooRefunds } from './payload.ts';
import { restRequest } from './rest-request.ts';
import { newsOf, utc, type WooNews } from './snapshot.ts';

const PER_PAGE = 100;
const MAX_PAGES = 20;
const ALL_DECIMALS = 'dp=6';
// One second, and one more for clocks that differ.
const SECOND_IS_OVER_MS = 2_000;

type Get = (path: string) => Promise<{ found: true; body: unknown } | { found: false }>;

/**
 * Fetches from the store the lines of refunds, whether a trashed order is back or gone, and the order as it is now, with all decimals of its
 * amounts. Refunds that it no longer lists are left out. Throws `Failure('storefront.unreachable')`, or `storefront.refused` if it refuses the
 * key, with words that say what to do.
 */
export async function complete(access: StoreAccess, missing: Missing, { fetchJson, now }: StoreMeans): Promise<OrderNews> {
  const get = getFrom(access, fetchJson);
  const news = await fetchOrder(get, missing, now);
  // What was read of the order is the newest state of it: no later webhook would have the lines of its refunds fetched.
  const listed = (news.snapshot?.refunds ?? []).map(({ id }) => id);
  const refundIds = [...new Set([...missing.refundIds, ...listed])];
  if (refundIds.length === 0) return news;
  const refunds = await fetchRefunds(get, { orderId: missing.orderId, refundIds });
  return { ...news, refunds };
}

function isWhole({ order, exact }: Missing): boolean {
  return order === true || exact === true;
}

async function fetchOrder(get: Get, missing: Missing, now: number): Promise<OrderNews> {
  const { orderId, deleted, order: inDoubt, exact } = missing;
  if (!isWhole(missing) && !deleted) return { orderId };
  const answer = await get(exact ? `orders/${orderId}?${ALL_DECIMALS}` : `orders/${orderId}`);
  // Gone for good; a deletion that a webhook has reported is no news.
  if (!answer.found) return deleted ? { orderId } : { orderId, deleted: true };
  const order = read(wooOrder, answer.body);
  const news = exact ? await exactNews(get, order, now) : newsOf(order, readAt(order, now));
  const isBack = (deleted || inDoubt === true) && news.snapshot.lifecycle !== 'trashed';
  return isBack ? { ...news, restored: true } : news;
}

// A shop without decimals may add up only as it shows its amounts: then nothing more exact can be known.
async function exactNews(get: Get, order: WooOrder, now: number): Promise<WooNews> {
  const news = newsOf(order, { allDecimals: true, exact: true, ...readAt(order, now) });
  if (addsUp(news.snapshot)) return news;
  const answer = await get(`orders/${order.id}`);
  if (!answer.found) return news;
  const asShown = read(wooOrder, answer.body);
  return newsOf(asShown, { exact: true, ...readAt(asShown, now) });
}

function addsUp({ lines, total, mayBeOff, problems }: Snapshot): boolean {
  const sum = addUp(lines.map(({ gross, discount }) => subtract(gross, discount)));
  return problems.length === 0 && (mayBeOff !== undefined || isZero(subtract(sum, total)));
}

// `date_modified_gmt` has whole seconds: what was read before its second was over may not be all that happened in it.
function readAt({ date_modified_gmt, date_created_gmt }: WooOrder, now: number): Pick<Snapshot, 'readAt'> {
  const isOver = now >= Date.parse(utc(date_modified_gmt ?? date_created_gmt)) + SECOND_IS_OVER_MS;
  return isOver ? { readAt: new Date(now).toISOString() } : {};
}

async function fetchRefunds(get: Get, { orderId, refundIds }: Pick<Missing, 'orderId' | 'refundIds'>): Promise<Refund[]> {
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
  const given = [...refund.line_items, ...refund.shipping_lines, ...refund.fee_lines];
  const amount = absolute(refund.amount);
  return { id: refund.id, at: utc(refund.date_created_gmt), amount, transactions: [], lines: withoutGap(given.flatMap(toRefundLine), given, amount) };
}

/** With “Round tax at subtotal level” the shown amounts may differ from the money by half the smallest amount each: the largest line takes the gap. */
function withoutGap(lines: RefundLine[], given: WooRefundLine[], amount: string): RefundLine[] {
  const gap = subtract(amount, addUp(lines.map((line) => line.amount)));
  const shown = given.flatMap(({ total, total_tax }) => [total, total_tax]).filter((each) => !isZero(each));
  const explained = multiply(multiply(smallestAmount([amount, ...shown]), '0.5'), String(shown.length));
  if (isZero(gap) || isNegative(subtract(explained, absolute(gap)))) return lines;
  const largest = lines.reduce((a, b) => (isNegative(subtract(absolute(a.amount), absolute(b.amount))) ? b : a));
  return lines.map((line) => (line === largest ? { ...line, amount: addUp([line.amount, gap]) } : line));
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
  return async (path) => {
    const { status, body } = await fetchJson(restRequest(access, path));
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
  if (isRefused(status))
    return 'its REST key is refused; make one with read rights under WooCommerce → Settings → Advanced → REST API, and give it with `orderbridge reconnect`';
  if (status >= 300 && status < 400)
    return 'its address redirects; give the final one (https, with or without www) with `orderbridge reconnect CONNECTION --store-url`';
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
