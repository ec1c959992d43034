import { sum } from '../../../../src/contract/money.ts';
import { isJson, type Json, text } from './json.ts';
import { micro, money, moneyBag, optional, plain, shopAmount, zero } from './money-bags.ts';

/** An order of the shop: the body of its webhooks, and all its payments as bodies of order_transactions/create. */
export type StoredOrder = { body: Json; transactions: readonly Json[] };

type PageArgs = { first?: number; after?: string | null; includeRemovals?: boolean };

/**
 * An order as the GraphQL Admin API shows it: other names, gids, times in UTC, upper-case enums, MoneyBags, connections in pages. Fields that take
 * arguments are functions, as `graphql` calls them.
 */
export function toGraphql({ body, transactions }: StoredOrder): Json {
  const currency = text(body['currency']);
  const bag = (name: string, from: Json = body) => moneyBag(from, name, currency);
  const refundOf = (refund: Json) => toGraphqlRefund(refund, { body, transactions });
  const current = body['current_total_price'] === undefined ? 'total_price' : 'current_total_price';
  const ownTransactions = [...newestOf({ body, transactions }).values()];
  return {
    __typename: 'Order',
    ...dates(body),
    ...{ id: gid('Order', body['id']), name: body['name'], test: body['test'] === true, currencyCode: currency },
    presentmentCurrencyCode: body['presentment_currency'] ?? currency,
    displayFinancialStatus: upper(body['financial_status']),
    displayFulfillmentStatus: body['fulfillment_status'] === 'fulfilled' ? 'FULFILLED' : 'UNFULFILLED',
    fulfillments: ({ first }: PageArgs) =>
      list(body, 'fulfillments')
        .map((one) => ({ createdAt: utc(one['created_at']), status: upper(one['status']) }))
        .slice(0, first),
    ...{ taxesIncluded: body['taxes_included'], dutiesIncluded: body['duties_included'] === true },
    ...{ totalPriceSet: bag('total_price'), currentTotalPriceSet: bag(current), totalTaxSet: optional(body, 'total_tax', currency) },
    currentTotalTaxSet: optional(body, 'current_total_tax', currency) ?? optional(body, 'total_tax', currency) ?? zero(currency),
    totalOutstandingSet: optional(body, 'total_outstanding', currency) ?? zero(currency),
    totalTipReceivedSet: optional(body, 'total_tip_received', currency) ?? zero(currency),
    originalTotalDutiesSet: optional(body, 'original_total_duties', currency),
    currentTotalDutiesSet: optional(body, 'current_total_duties', currency),
    originalTotalAdditionalFeesSet: optional(body, 'original_total_additional_fees', currency),
    currentTotalAdditionalFeesSet: optional(body, 'current_total_additional_fees', currency),
    totalCashRoundingAdjustment: {
      paymentSet: optional(body, 'total_cash_rounding_payment_adjustment', currency) ?? zero(currency),
      refundSet: optional(body, 'total_cash_rounding_refund_adjustment', currency) ?? zero(currency),
    },
    totalRefundedSet: plain(
      sum(
        refundTransactions(body)
          .filter(isGone)
          .map((one) => micro(one['amount'])),
      ),
      currency,
    ),
    netPaymentSet: plain(micro(shopAmount(body, current)) - micro(body['total_outstanding'] ?? '0'), currency),
    paymentGatewayNames: body['payment_gateway_names'] ?? [],
    merchantOfRecordApp: body['merchant_of_record_app_id'] ? { id: gid('OrderApp', body['merchant_of_record_app_id']) } : null,
    taxLines: orderTaxes(body, currency),
    ...{ email: body['email'] ?? null, phone: body['phone'] ?? null },
    ...{ billingAddress: address(body['billing_address']), shippingAddress: address(body['shipping_address']) },
    lineItems: (args: PageArgs) =>
      connection(
        list(body, 'line_items').map((line) => lineItem(line, currency)),
        args,
      ),
    shippingLines: ({ includeRemovals, ...args }: PageArgs) =>
      connection(
        list(body, 'shipping_lines')
          .filter((line) => includeRemovals === true || line['is_removed'] !== true)
          .map((line) => shippingLine(line, currency)),
        args,
      ),
    refunds: ({ first }: PageArgs) => list(body, 'refunds').map(refundOf).slice(0, first),
    transactions: ({ first }: PageArgs) => ownTransactions.map((one) => transaction(one, body)).slice(0, first),
  };
}

/** One refund that an order lists. */
export function toGraphqlRefund(refund: Json, order: StoredOrder): Json {
  const { body } = order;
  const currency = text(body['currency']);
  const adjustments = list(refund, 'order_adjustments').filter(({ kind }) => kind !== 'shipping_refund');
  return {
    __typename: 'Refund',
    ...{ id: gid('Refund', refund['id']), createdAt: utc(refund['created_at']), processedAt: utc(refund['processed_at'] ?? refund['created_at']) },
    order: () => toGraphql(order),
    duties: list(refund, 'duties').map((duty) => ({
      originalDuty: { __typename: 'Duty', id: gid('Duty', duty['duty_id']) },
      amountSet: moneyBag(duty, 'amount', currency),
    })),
    refundLineItems: (args: PageArgs) =>
      connection(
        list(refund, 'refund_line_items').map((line) => ({
          lineItem: { __typename: 'LineItem', id: gid('LineItem', line['line_item_id']) },
          ...{ quantity: line['quantity'], subtotalSet: moneyBag(line, 'subtotal', currency), totalTaxSet: moneyBag(line, 'total_tax', currency) },
        })),
        args,
      ),
    refundShippingLines: (args: PageArgs) =>
      connection(
        list(refund, 'refund_shipping_lines').map((line) => ({
          ...{ shippingLine: { id: shippingGid(line['shipping_line_id']) }, subtotalAmountSet: moneyBag(line, 'subtotal_amount', currency) },
        })),
        args,
      ),
    orderAdjustments: (args: PageArgs) =>
      connection(
        adjustments.map((one) => ({
          ...{ amountSet: moneyBag(one, 'amount', currency), taxAmountSet: optional(one, 'tax_amount', currency) ?? zero(currency) },
        })),
        args,
      ),
    transactions: (args: PageArgs) =>
      connection(
        list(refund, 'transactions').map((one) => transaction(one, body)),
        args,
      ),
  };
}

function dates(body: Json): Json {
  const cancelledAt = body['cancelled_at'];
  return {
    ...{ createdAt: utc(body['created_at']), updatedAt: utc(body['updated_at']), processedAt: utc(body['processed_at'] ?? body['created_at']) },
    cancelledAt: cancelledAt ? utc(cancelledAt) : null,
  };
}

function lineItem(line: Json, currency: string): Json {
  return {
    __typename: 'LineItem',
    ...{ id: gid('LineItem', line['id']), name: line['name'], quantity: line['quantity'], currentQuantity: line['current_quantity'] ?? line['quantity'] },
    ...{ isGiftCard: line['gift_card'] === true, originalUnitPriceSet: moneyBag(line, 'price', currency), ...priced(line, currency) },
    duties: list(line, 'duties').map((duty) => ({
      ...{ __typename: 'Duty', id: gid('Duty', duty['id']), price: moneyBag({ amount_set: duty }, 'amount', currency), taxLines: taxes(duty, currency) },
    })),
  };
}

/** The one id that may be null. */
function shippingGid(id: unknown): string | null {
  return id === null ? null : gid('ShippingLine', id);
}

function shippingLine(line: Json, currency: string): Json {
  return {
    ...{ id: shippingGid(line['id']), title: line['title'] ?? '', isRemoved: line['is_removed'] === true },
    ...{ originalPriceSet: moneyBag(line, 'price', currency), ...priced(line, currency) },
  };
}

function priced(line: Json, currency: string): Json {
  const discounts = list(line, 'discount_allocations');
  return { taxLines: taxes(line, currency), discountAllocations: discounts.map((one) => ({ allocatedAmountSet: moneyBag(one, 'amount', currency) })) };
}

function taxes(line: Json, currency: string): Json[] {
  return list(line, 'tax_lines').map((tax) => ({
    priceSet: moneyBag(tax, 'price', currency),
    rate: tax['rate'],
    ...{ channelLiable: tax['channel_liable'] ?? null, title: tax['title'] ?? 'VAT' },
  }));
}

/** Of the whole order: one for each title and rate. */
function orderTaxes(body: Json, currency: string): Json[] {
  const all = [...list(body, 'line_items'), ...list(body, 'shipping_lines')].flatMap((line) => list(line, 'tax_lines'));
  const each = [...new Map(all.map((tax) => [`${text(tax['title'])} ${text(tax['rate'])}`, tax])).values()];
  return taxes({ tax_lines: each }, currency);
}

/** As people read it: "cash_on_delivery" → "Cash on delivery". */
function formatted(gateway: unknown): string | null {
  return typeof gateway === 'string' ? gateway.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase()) : null;
}

function transaction(one: Json, order: Json): Json {
  const shop = text(order['currency']);
  const own = text(one['currency'] || order['presentment_currency'] || shop);
  return {
    __typename: 'OrderTransaction',
    ...{ id: gid('OrderTransaction', one['id']), kind: upper(one['kind']), status: upper(one['status']), gateway: one['gateway'] ?? null },
    formattedGateway: formatted(one['gateway']),
    paymentId: one['payment_id'] ?? null,
    ...{ createdAt: utc(one['created_at']), processedAt: one['processed_at'] ? utc(one['processed_at']) : null },
    amountSet: { shopMoney: money(own === shop ? one['amount'] : '0', shop), presentmentMoney: money(one['amount'], own) },
  };
}

/** Payments by id; one that was told apart may be newer than what the order's own webhook said of it. */
function newestOf({ body, transactions }: StoredOrder): Map<string, Json> {
  return new Map([...refundTransactions(body), ...transactions].map((one) => [text(one['id']), one]));
}

function refundTransactions(body: Json): Json[] {
  return list(body, 'refunds').flatMap((refund) => list(refund, 'transactions'));
}

function isGone({ kind, status }: Json): boolean {
  return kind === 'refund' && status === 'success';
}

/** A page, as a cursor of its own kind says where it begins. */
export function connection<Node>(nodes: readonly Node[], { first = 10, after = null }: PageArgs): Json {
  const from = after === null ? 0 : Number(atob(after));
  const page = nodes.slice(from, from + first);
  const end = from + page.length;
  return { nodes: page, pageInfo: { hasNextPage: end < nodes.length, endCursor: page.length === 0 ? null : btoa(String(end)) } };
}

function address(person: unknown): Json | null {
  return isJson(person) ? { firstName: person['first_name'] ?? null, lastName: person['last_name'] ?? null, phone: person['phone'] ?? null } : null;
}

function list(from: Json, name: string): Json[] {
  const items = from[name];
  return Array.isArray(items) ? items.filter(isJson) : [];
}

export function gid(type: string, id: unknown): string {
  return `gid://shopify/${type}/${text(id)}`;
}

function upper(word: unknown): string | null {
  return typeof word === 'string' ? word.toUpperCase() : null;
}

function utc(instant: unknown): string {
  return `${new Date(text(instant)).toISOString().slice(0, 19)}Z`;
}
