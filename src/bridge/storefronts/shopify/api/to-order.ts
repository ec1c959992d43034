import { microText, type ShopifyOrder, type ShopifyRefund, type ShopifyTransaction, shippingId } from '../payload.ts';
import type { OrderShape, RefundShape, TransactionShape } from './shapes.ts';

/** An order and its refunds, all their pages read. `timeZone`: the shop's, by its IANA name. */
export type WholeOrder = { order: OrderShape; refunds: readonly RefundShape[]; timeZone: string };

type Line = OrderShape['lineItems']['nodes'][number];
type Shipping = OrderShape['shippingLines']['nodes'][number];

/** The order as a webhook would have it, so that it is read in the same way. The buyer's account is not in it. */
export function toOrder({ order, refunds, timeZone }: WholeOrder): ShopifyOrder {
  const { id, name, currencyCode, currentTotalPriceSet, currentTotalTaxSet, totalTaxSet, totalCashRoundingAdjustment: rounding } = order;
  return {
    ...{ id, name, currency: currencyCode, presentment_currency: order.presentmentCurrencyCode, test: order.test },
    ...{ created_at: inTimeZone(order.createdAt, timeZone), processed_at: order.processedAt, updated_at: order.updatedAt, cancelled_at: order.cancelledAt },
    ...{ taxes_included: order.taxesIncluded, duties_included: order.dutiesIncluded, financial_status: lower(order.displayFinancialStatus) },
    fulfillment_status: lower(order.displayFulfillmentStatus),
    fulfillments: order.fulfillments.map(({ createdAt, status }) => ({ created_at: createdAt, status: status.toLowerCase() })),
    ...{ total_price: order.totalPriceSet, total_price_set: order.totalPriceSet },
    ...{ current_total_price: currentTotalPriceSet, current_total_price_set: currentTotalPriceSet },
    ...{ total_tax: totalTaxSet === null ? null : microText(totalTaxSet), current_total_tax: microText(currentTotalTaxSet) },
    ...{ total_outstanding: order.totalOutstandingSet, total_tip_received: order.totalTipReceivedSet },
    ...{ original_total_duties_set: order.originalTotalDutiesSet, current_total_duties_set: order.currentTotalDutiesSet },
    original_total_additional_fees_set: order.originalTotalAdditionalFeesSet,
    current_total_additional_fees_set: order.currentTotalAdditionalFeesSet,
    total_cash_rounding_payment_adjustment_set: rounding.paymentSet,
    total_cash_rounding_refund_adjustment_set: rounding.refundSet,
    payment_gateway_names: gatewayNames(order),
    merchant_of_record_app_id: order.merchantOfRecordApp?.id ?? null,
    line_items: order.lineItems.nodes.map(toItem),
    shipping_lines: order.shippingLines.nodes.map(toShipping),
    refunds: refunds.map((refund) => toRefundPayload(refund, order)),
    ...{ email: order.email, contact_email: null, phone: order.phone, customer: null },
    ...{ billing_address: toAddress(order.billingAddress), shipping_address: toAddress(order.shippingAddress) },
  };
}

/**
 * As webhooks name them. The order's own list may have names for people ("Shopify Payments") where webhooks have handles ("shopify_payments"): then
 * its payments say the handles.
 */
function gatewayNames({ paymentGatewayNames, transactions }: OrderShape): string[] {
  const ofPayments = transactions.filter(({ kind, status }) => PAYMENTS.has(kind) && !FAILED.has(status)).flatMap(({ gateway }) => gateway ?? []);
  const isSpelledTheSame = ofPayments.every((gateway) => paymentGatewayNames.includes(gateway));
  return isSpelledTheSame ? paymentGatewayNames : [...new Set(ofPayments)];
}

const PAYMENTS: ReadonlySet<string> = new Set(['SALE', 'CAPTURE', 'AUTHORIZATION', 'EMV_AUTHORIZATION']);
const FAILED: ReadonlySet<string> = new Set(['FAILURE', 'ERROR']);

function toItem({ id, name, quantity, currentQuantity, isGiftCard, duties, ...line }: Line): ShopifyOrder['line_items'][number] {
  return {
    ...{ id, name, quantity, current_quantity: currentQuantity, gift_card: isGiftCard },
    ...toPriced(line.originalUnitPriceSet, line),
    duties: duties.map((duty) => ({ id: duty.id, shop_money: { amount: duty.price }, tax_lines: toTaxes(duty.taxLines) })),
  };
}

function toShipping({ id, title, isRemoved, originalPriceSet, ...line }: Shipping, nth: number): ShopifyOrder['shipping_lines'][number] {
  return { id: shippingId(id, nth), title, is_removed: isRemoved, ...toPriced(originalPriceSet, line) };
}

function toPriced(price: bigint, { discountAllocations, taxLines }: Pick<Line, 'discountAllocations' | 'taxLines'>) {
  return {
    price,
    price_set: price,
    tax_lines: toTaxes(taxLines),
    discount_allocations: discountAllocations.map(({ allocatedAmountSet }) => ({ amount: allocatedAmountSet, amount_set: allocatedAmountSet })),
  };
}

function toTaxes(taxLines: Line['taxLines']): ShopifyOrder['line_items'][number]['tax_lines'] {
  return taxLines.map(({ priceSet, rate, channelLiable }) => ({ price: priceSet, price_set: priceSet, rate, channel_liable: channelLiable }));
}

/** The API names the lines that a refund is about, which webhooks repeat in it. */
function toRefundPayload(refund: RefundShape, { lineItems, shippingLines }: OrderShape): ShopifyRefund {
  const itemOf = (id: string) => lineItems.nodes.find((line) => line.id === id);
  return {
    ...{ id: refund.id, created_at: refund.createdAt ?? refund.processedAt, processed_at: refund.processedAt },
    refund_line_items: refund.refundLineItems.nodes.map(({ lineItem, quantity, subtotalSet, totalTaxSet }) => {
      const item = itemOf(lineItem.id);
      return {
        ...{ line_item_id: lineItem.id, quantity, subtotal: subtotalSet, subtotal_set: subtotalSet, total_tax: totalTaxSet, total_tax_set: totalTaxSet },
        line_item: item === undefined ? null : { tax_lines: toTaxes(item.taxLines) },
      };
    }),
    refund_shipping_lines: refund.refundShippingLines.nodes.map(({ shippingLine, subtotalAmountSet: { shopMoney } }) => {
      const nth = shippingLines.nodes.findIndex(({ id }) => id === shippingLine.id);
      const line = shippingLines.nodes[nth];
      return {
        shipping_line_id: shippingId(shippingLine.id, nth),
        subtotal_amount_set: { shop_money: { amount: shopMoney.amount, currency_code: shopMoney.currencyCode } },
        shipping_line: line === undefined ? null : toPriced(line.originalPriceSet, line),
      };
    }),
    duties: (refund.duties ?? []).flatMap(({ originalDuty, amountSet }) =>
      originalDuty === null ? [] : [{ duty_id: originalDuty.id, amount_set: amountSet }],
    ),
    order_adjustments: refund.orderAdjustments.nodes.map(({ amountSet, taxAmountSet }) => toAdjustment(amountSet, taxAmountSet)),
    transactions: refund.transactions.nodes.map(toTransactionPayload),
  };
}

// The API lists refunded shipping by its lines alone: what it adjusts is what a refund gave beyond its lines, or kept of them.
function toAdjustment(amount: bigint, tax: bigint): ShopifyRefund['order_adjustments'][number] {
  return { kind: 'refund_discrepancy', amount, amount_set: amount, tax_amount: tax, tax_amount_set: tax };
}

// What the buyer saw moved is what a webhook calls the amount: of one payment, both sources must say the same.
export function toTransactionPayload({ amountSet: { shopMoney, presentmentMoney }, ...raw }: TransactionShape): ShopifyTransaction {
  return {
    ...{ id: raw.id, kind: raw.kind.toLowerCase(), status: raw.status.toLowerCase(), gateway: raw.gateway },
    ...{ amount: presentmentMoney.amount, currency: presentmentMoney.currencyCode },
    ...{ authorization: null, payment_id: raw.paymentId, created_at: raw.createdAt, processed_at: raw.processedAt },
    total_unsettled_set: { shop_money: { currency: shopMoney.currencyCode } },
  };
}

function toAddress(person: OrderShape['billingAddress']): ShopifyOrder['billing_address'] {
  return person ? { first_name: person.firstName, last_name: person.lastName, phone: person.phone } : null;
}

export function lower(status: string | null): string | null {
  return status === null ? null : status.toLowerCase();
}

/** "2026-10-14T08:32:05Z" in "Europe/Sofia" → "2026-10-14T11:32:05+03:00": as webhooks write it. A zone that is not known here leaves it in UTC. */
export function inTimeZone(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  const offset = offsetOf(at, timeZone);
  // The same clock reading is that much earlier in a zone that is ahead.
  const ahead = -Date.parse(`1970-01-01T00:00:00${offset}`);
  return `${new Date(at + ahead).toISOString().slice(0, 19)}${/^(Etc\/)?UTC$/.test(timeZone) ? 'Z' : offset}`;
}

/** "+03:00" */
function offsetOf(at: number, timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(at).slice(-6);
  } catch {
    return '+00:00';
  }
}
