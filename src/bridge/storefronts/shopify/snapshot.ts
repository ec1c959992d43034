import type { Customer } from '../../../contract/record.ts';
import type { OrderNews, Snapshot, Transaction } from '../../order/facts/facts.ts';
import type { Problem } from '../../order/facts/failure.ts';
import { GIFT_CARD } from '../../order/facts/view.ts';
import { digestOf } from '../hmac.ts';
import { isExplained, shippingParts } from './charges.ts';
import { moneyOf } from './order-money.ts';
import {
  isCancelled,
  isKnownStatus,
  microText,
  ONE,
  type Priced,
  paymentOf,
  percentText,
  priceOf,
  rankOf,
  rateOf,
  type ShopifyOrder,
  statusText,
  taxOf,
  utc,
} from './payload.ts';
import { toRefund } from './refund.ts';
import { refundsOf, toTransaction } from './transaction.ts';

export type WholeNews = OrderNews & { snapshot: Snapshot; transactions: Transaction[] };

/** What a whole order says: of its payments, those that its refunds list. `read`: when its API said it. */
export function orderNews(order: ShopifyOrder, read: Pick<Snapshot, 'readAt'> = {}): WholeNews {
  const customer = toCustomer(order);
  const refunds = refundsOf(order);
  return {
    orderId: order.id,
    snapshot: toSnapshot({ ...order, refunds }, customer, read),
    ...(customer === undefined ? {} : { customer }),
    refunds: refunds.map(toRefund),
    transactions: refunds.flatMap(({ transactions }) => transactions.map(toTransaction)),
  };
}

/** The order as Shopify reported it at `updated_at`. Shopify says neither when it was paid nor by which transaction: other webhooks do. */
function toSnapshot(order: ShopifyOrder, customer: Customer | undefined, read: Pick<Snapshot, 'readAt'> = {}): Snapshot {
  const snapshot = {
    updatedAt: utc(order.updated_at),
    rank: rankOf(order),
    status: statusText(order),
    lifecycle: isCancelled(order) ? 'cancelled' : 'live',
    payment: paymentOf(order),
    test: order.test === true,
    paidAt: null,
    placedAt: utc(order.processed_at ?? order.created_at),
    number: order.name,
    createdAt: order.created_at,
    currency: order.currency,
    gateways: gatewaysOf(order),
    transactionId: null,
    ...moneyOf(order),
    vat: order.current_total_tax ?? order.total_tax ?? null,
    problems: orderProblems(order),
    ...deliveredIn(order),
    ...moneySigns(order),
    ...read,
  } satisfies Omit<Snapshot, 'digest'>;
  return { ...snapshot, digest: digestOf({ snapshot, customer }) };
}

// Shopify's word for all of it is “fulfilled”: when the last parcel was handed over.
function deliveredIn({ fulfillment_status, fulfillments }: ShopifyOrder): Pick<Snapshot, 'deliveredAt'> {
  const last = fulfillments
    .flatMap(({ created_at, status }) => (status === 'success' ? utc(created_at) : []))
    .toSorted()
    .at(-1);
  return fulfillment_status === 'fulfilled' && last !== undefined ? { deliveredAt: last } : {};
}

// Below zero, what is outstanding is the customer's.
function moneySigns({ total_outstanding, payment_gateway_names }: ShopifyOrder): Pick<Snapshot, 'owed' | 'paidByGiftCard'> {
  const outstanding = total_outstanding ?? 0n;
  return {
    ...(outstanding < 0n ? { owed: microText(-outstanding) } : {}),
    ...(payment_gateway_names.includes(GIFT_CARD) ? { paidByGiftCard: true } : {}),
  };
}

// A gift card beside another tender is a voucher redeemed: the other one decides.
function gatewaysOf({ payment_gateway_names }: ShopifyOrder): string[] {
  const all = [...new Set(payment_gateway_names)];
  const others = all.filter((gateway) => gateway !== GIFT_CARD);
  return others.length > 0 ? others : all;
}

type Names = { first_name?: string | null | undefined; last_name?: string | null | undefined };

/** The buyer as far as the shop may share it: Shopify blanks these fields for apps without access to protected data. Undefined if nothing is left. */
function toCustomer({ email, contact_email, phone, billing_address, shipping_address, customer }: ShopifyOrder): Customer | undefined {
  const names: Names = [billing_address, customer].find(hasName) ?? {};
  const fields = {
    email: firstText([email, contact_email, customer?.email]),
    phone: firstText([phone, billing_address?.phone, shipping_address?.phone, customer?.phone]),
    firstName: firstText([names.first_name]),
    lastName: firstText([names.last_name]),
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function hasName(person: Names | null | undefined): boolean {
  return firstText([person?.first_name, person?.last_name]) !== undefined;
}

function firstText(texts: (string | null | undefined)[]): string | undefined {
  return texts.map((text) => text?.trim()).find((text) => text !== undefined && text !== '');
}

/** `counts`: of how many pieces its taxes may be. */
type Named = Priced & { name: string; counts: number[] };

/** Everything in an order that a tax record can't express. */
function orderProblems(order: ShopifyOrder): Problem[] {
  const items = order.line_items.map((item) => ({ ...item, counts: [item.quantity, item.current_quantity ?? item.quantity] }));
  const whole = order.shipping_lines.filter((line) => shippingParts(line, order) === null);
  const shipping = whole.map((line) => ({ ...line, name: line.title || 'Shipping', counts: [1] }));
  return [...wholeOrder(order), ...[...items, ...shipping].flatMap((line) => lineProblems(line, order))];
}

function wholeOrder(order: ShopifyOrder): Problem[] {
  const problems: Problem[] = [];
  if (!isKnownStatus(order)) problems.push(inexpressible(`Shopify calls the payment “${order.financial_status}”, which is not known here.`));
  if (typeof order.merchant_of_record_app_id === 'string') {
    problems.push({ code: 'seller.other', detail: `App ${order.merchant_of_record_app_id} is the merchant of record.` });
  }
  // The difference belongs to no line and no VAT rate; whether total_price includes it is not documented.
  const rounding = [order.total_cash_rounding_payment_adjustment_set, order.total_cash_rounding_refund_adjustment_set];
  if (rounding.some(Boolean)) problems.push(inexpressible('The cash paid or given back was rounded, so it differs from the sum of the lines.'));
  return problems;
}

function inexpressible(detail: string): Problem {
  return { code: 'order.inexpressible', detail };
}

function lineProblems(line: Named, order: ShopifyOrder): Problem[] {
  const problems: Problem[] = [];
  const why = vatDoubt(line) ?? taxDoubt(line, order);
  if (why !== null) problems.push({ code: 'vat.unclear', detail: `Line “${line.name}” ${why}.` });
  if (line.tax_lines.some(({ channel_liable }) => channel_liable === true)) {
    problems.push({ code: 'seller.other', detail: `The sales channel owes the VAT of line “${line.name}”.` });
  }
  return problems;
}

function vatDoubt(line: Named): string | null {
  const { tax_lines } = line;
  const tax = taxOf(tax_lines);
  if (tax_lines.filter(({ rate }) => rate > 0n).length > 1) return 'bears several taxes';
  if (rateOf(tax_lines) > ONE) return 'bears a tax of more than 100 %';
  if (tax !== 0n && rateOf(tax_lines) === 0n) return 'bears a tax without a rate';
  return tax !== 0n && priceOf(line) === 0n ? 'costs nothing but bears a tax' : null;
}

function taxDoubt(line: Named, order: ShopifyOrder): string | null {
  if (line.counts.some((count) => isExplained(line, count, order))) return null;
  return `bears a tax of ${microText(taxOf(line.tax_lines))}, which ${percentText(rateOf(line.tax_lines))} % of its price is not`;
}
