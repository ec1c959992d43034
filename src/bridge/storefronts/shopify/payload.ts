import { z } from 'zod';
import { decimal } from '../../../contract/decimal.ts';
import { decimalsOf, divideHalfUp, formatMoney, parseMoney, sum } from '../../../contract/money.ts';
import { ownValue } from '../../../contract/own-value.ts';
import type { PaymentState } from '../../order/facts/facts.ts';

/** The fields that we read of Shopify's REST-shaped webhook bodies, and no others; API versions 2026-04 to 2026-10. */
/** Amounts and rates are read as millionths: exact for every price, and for what is computed from it before rounding. */
const MICRO_DECIMALS = 6;

const id = z.union([z.int(), z.string().regex(/^\d{1,30}$/)]).transform(String);
export const instant = z.iso.datetime({ offset: true });
const text = z.string().nullish();
/** A buyer that can't be read is no reason to leave a sale unrecorded. */
export const personal = text.catch(null);
export const count = z.int().min(0);

/** Millionths. One transform: an order has dozens of amounts, and a union of text and numbers takes three times as long. */
export const amount = z.transform((value: unknown, context): bigint => {
  const text = typeof value === 'number' && Math.abs(value) <= 1e12 ? value.toFixed(MICRO_DECIMALS) : value;
  const micro = typeof text === 'string' && text.length <= 30 ? parseMoney(text, MICRO_DECIMALS) : undefined;
  if (micro !== undefined) return micro;
  context.addIssue({ code: 'custom', message: 'not an amount of money' });
  return z.NEVER;
});

/** A fraction, 0.2 for 20 %, in millionths; rounding takes off the noise of floats. */
export const rate = z
  .number()
  .min(0)
  .max(1e6)
  .nullish()
  .transform((fraction) => BigInt(Math.round((fraction ?? 0) * 1e6)));

const shopMoney = z.object({ amount });
/** The amount in the shop's currency; what the buyer saw (presentment money) is never read. */
const moneySet = z.object({ shop_money: shopMoney }).transform(({ shop_money }) => shop_money.amount);
const optionalSet = moneySet.nullish();

function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
}

const taxLines = listOf(z.object({ price: amount, price_set: optionalSet, rate, channel_liable: z.boolean().nullish() }));
const priced = {
  price: amount,
  price_set: optionalSet,
  tax_lines: taxLines,
  discount_allocations: listOf(z.object({ amount, amount_set: optionalSet })),
};

const lineItem = z.object({
  ...priced,
  id,
  name: z.string(),
  quantity: count,
  current_quantity: count.nullish(),
  gift_card: z.boolean().nullish(),
  duties: listOf(z.object({ id, shop_money: shopMoney, tax_lines: taxLines })),
});

const shippingLine = z.object({ ...priced, id: id.nullish(), title: text, is_removed: z.boolean().nullish() });

/** A shipping line may have no id: then it is known by its place, which both sources share. */
export function shippingId(given: string | null | undefined, nth: number): string {
  return given ?? `shipping:${nth}`;
}

const transactionPayload = z.object({
  id,
  kind: z.string(),
  status: z.string(),
  gateway: text,
  amount,
  currency: text,
  authorization: text,
  payment_id: text,
  created_at: instant,
  processed_at: instant.nullish(),
  total_unsettled_set: z.object({ shop_money: z.object({ currency: text }).nullish() }).nullish(),
});

const refundPayload = z.object({
  id,
  created_at: instant,
  processed_at: instant.nullish(),
  refund_line_items: listOf(
    z.object({
      line_item_id: id,
      quantity: count,
      subtotal: amount,
      subtotal_set: optionalSet,
      total_tax: amount,
      total_tax_set: optionalSet,
      line_item: z.object({ tax_lines: taxLines }).nullish(),
    }),
  ),
  refund_shipping_lines: listOf(
    z.object({
      // A refund names it by its id, and has none for what has none.
      shipping_line_id: id.nullish().transform((given) => shippingId(given, 0)),
      subtotal_amount_set: z.object({ shop_money: z.object({ amount, currency_code: text }) }),
      shipping_line: z.object(priced).nullish(),
    }),
  ),
  duties: listOf(z.object({ duty_id: id, amount_set: moneySet })),
  order_adjustments: listOf(z.object({ kind: text, amount, amount_set: optionalSet, tax_amount: amount.nullish(), tax_amount_set: optionalSet })),
  transactions: listOf(transactionPayload),
});

const person = { first_name: personal, last_name: personal, phone: personal };
const address = z.object(person).nullish().catch(null);

export const orderPayload = z.object({
  id,
  name: z.string(),
  created_at: instant,
  processed_at: instant.nullish(),
  updated_at: instant,
  cancelled_at: instant.nullish(),
  currency: z.string().regex(/^[A-Z]{3}$/, 'not an ISO 4217 code'),
  presentment_currency: text,
  taxes_included: z.boolean(),
  duties_included: z.boolean().nullish(),
  financial_status: text,
  // When it left is no reason to leave a sale unrecorded.
  fulfillment_status: personal,
  fulfillments: listOf(z.object({ created_at: instant, status: text })).catch([]),
  test: z.boolean().nullish(),
  total_price: amount,
  total_price_set: optionalSet,
  current_total_price: amount.nullish(),
  current_total_price_set: optionalSet,
  total_tax: z.string().nullish().catch(null),
  current_total_tax: z.string().nullish().catch(null),
  total_outstanding: amount.nullish(),
  total_tip_received: amount.nullish(),
  original_total_duties_set: optionalSet,
  current_total_duties_set: optionalSet,
  original_total_additional_fees_set: optionalSet,
  current_total_additional_fees_set: optionalSet,
  total_cash_rounding_payment_adjustment_set: optionalSet,
  total_cash_rounding_refund_adjustment_set: optionalSet,
  payment_gateway_names: listOf(z.string()),
  merchant_of_record_app_id: id.nullish(),
  line_items: z.array(lineItem),
  shipping_lines: listOf(shippingLine).transform((lines) => lines.map((line, nth) => ({ ...line, id: shippingId(line.id, nth) }))),
  refunds: listOf(refundPayload),
  email: personal,
  contact_email: personal,
  phone: personal,
  billing_address: address,
  shipping_address: address,
  customer: z
    .object({ ...person, email: personal })
    .nullish()
    .catch(null),
});

export const refundNews = refundPayload.extend({ order_id: id });
export const transactionNews = transactionPayload.extend({ order_id: id });
export const deletionNews = z.object({ id });

const domain = z.string().min(1).max(300);
const ofShop = { shop_domain: domain };
export const shopRedaction = z.object(ofShop);
export const redactionRequest = z.object({ ...ofShop, orders_to_redact: listOf(id) });
export const exportRequest = z.object({ ...ofShop, orders_requested: listOf(id), data_request: z.object({ id }) });
/** What the app may do from now on. */
export const scopesUpdate = z.object({ current: z.array(z.string().max(100)).max(1_000) });
/** `domain` may be one of the merchant's own, by which no delivery names the shop. */
export const shopPayload = z
  .object({ myshopify_domain: domain.nullish(), domain: domain.nullish() })
  .transform(({ myshopify_domain, domain: own }) => myshopify_domain ?? own)
  .pipe(domain);

export type ShopifyOrder = z.infer<typeof orderPayload>;
export type ShopifyRefund = z.infer<typeof refundPayload>;
export type ShopifyTransaction = z.infer<typeof transactionPayload>;
export type Priced = z.infer<z.ZodObject<typeof priced>>;
export type TaxLines = Priced['tax_lines'];

/** "2026-10-14T11:32:05+03:00" → "2026-10-14T08:32:05.000Z"; the text was checked to be an instant. */
export function utc(instant: string): string {
  return new Date(instant).toISOString();
}

/** What the store sells, as webhooks name it. */
export const orderTopics = ['orders/paid', 'orders/updated', 'orders/cancelled', 'orders/delete', 'refunds/create', 'order_transactions/create'] as const;

/** What becomes of the app in the store. */
export const appTopics = ['app/uninstalled', 'app/scopes_update'] as const;

/** Privacy requests, which the app's configuration alone can subscribe to. */
export const complianceTopics = ['customers/data_request', 'customers/redact', 'shop/redact'] as const;

/** Those that can be subscribed to by the API: also two that nobody here needs, for they bring no more than orders/updated does. */
export const apiTopics: readonly string[] = [...orderTopics, 'orders/create', 'orders/edited', ...appTopics];

/** The topic as the API names it (ORDERS_PAID). */
export function apiName(topic: string): string {
  return topic.toUpperCase().replace('/', '_');
}

/** One, in millionths. */
export const ONE = 1_000_000n;
const CENT = 10_000n;

/** 24000000n → "24.00": two decimals, more only where the platform gave more. */
export function microText(micro: bigint): string {
  return micro % CENT === 0n ? formatMoney(micro / CENT, 2) : formatMoney(micro, MICRO_DECIMALS).replace(/0{1,4}$/, '');
}

/** The smallest amount that the currency has, in millionths. */
export function unitOf(currency: string): bigint {
  const decimals = decimalsOf(currency);
  return decimals === 2 ? CENT : 10n ** BigInt(MICRO_DECIMALS - decimals);
}

/** The nearest amount that the currency has, halves away from zero. */
export function roundTo(currency: string, { dividend, divisor }: { dividend: bigint; divisor: bigint }): bigint {
  const unit = unitOf(currency);
  return divideHalfUp(dividend, divisor * unit) * unit;
}

/** What one piece costs before discounts. */
export function priceOf({ price, price_set }: Priced): bigint {
  return price_set ?? price;
}

/** All discounts on the line, order-wide ones too (`total_discount` is not to be trusted). */
export function discountOf({ discount_allocations }: Priced): bigint {
  return sum(discount_allocations.map(({ amount, amount_set }) => amount_set ?? amount));
}

export function taxOf(taxLines: TaxLines): bigint {
  return sum(taxLines.map(({ price, price_set }) => price_set ?? price));
}

/** All rates together, 200000n for 20 %. */
export function rateOf(taxLines: TaxLines): bigint {
  return sum(taxLines.map(({ rate }) => rate));
}

/** 200000n → "20", 255000n → "25.5". */
export function percentText(rate: bigint): string {
  return rate % CENT === 0n ? String(rate / CENT) : decimal(formatMoney(rate, MICRO_DECIMALS - 2)).toString();
}

type Meaning = { place: number; payment: PaymentState };

/**
 * Every financial_status there is, in the order of an order's life. A partially paid order is `outstanding`: one payload can't tell a deposit
 * from a paid order that an edit made dearer, and taking the second for unpaid would remove a correctly recorded sale.
 */
const meanings = {
  expired: { place: 1, payment: 'unpaid' },
  voided: { place: 2, payment: 'unpaid' },
  pending: { place: 3, payment: 'unpaid' },
  authorized: { place: 4, payment: 'unpaid' },
  partially_paid: { place: 5, payment: 'outstanding' },
  paid: { place: 6, payment: 'paid' },
  partially_refunded: { place: 7, payment: 'paid' },
  refunded: { place: 8, payment: 'paid' },
} as const satisfies Record<string, Meaning>;

// For an unknown status a person is asked (`orderProblems` names it); every known one outranks it.
const unknownStatus: Meaning = { place: 0, payment: 'outstanding' };

type Status = Pick<ShopifyOrder, 'financial_status' | 'cancelled_at' | 'total_outstanding'>;

/** Place in the life of an order; cancelled ranks just above the same status without it. */
export function rankOf(order: Status): number {
  return meaningOf(order).place * 2 + (isCancelled(order) ? 1 : 0);
}

export function paymentOf(order: Status): PaymentState {
  const isShort = order.financial_status === 'paid' && (order.total_outstanding ?? 0n) > 0n;
  return isShort ? 'outstanding' : meaningOf(order).payment;
}

export function statusText(order: Status): string {
  return `${statusOf(order)}${isCancelled(order) ? ', cancelled' : ''}`;
}

export function isCancelled({ cancelled_at }: Status): boolean {
  return typeof cancelled_at === 'string';
}

export function isKnownStatus(order: Status): boolean {
  return meaningOf(order) !== unknownStatus;
}

// No status at all means that no payment was requested yet.
function statusOf({ financial_status }: Status): string {
  return financial_status ?? 'pending';
}

function meaningOf(order: Status): Meaning {
  return ownValue<Meaning>(meanings, statusOf(order)) ?? unknownStatus;
}
