/** What is requested of the Admin API, version 2026-10. Customers are left out: they need a permission of their own. */

const MONEY = '{ shopMoney { amount } }';
const TAXES = `taxLines { priceSet ${MONEY} rate channelLiable }`;
const DISCOUNTS = `discountAllocations { allocatedAmountSet ${MONEY} }`;
const PAGE = 'pageInfo { hasNextPage endCursor }';

const TRANSACTION = `{ id kind status gateway paymentId createdAt processedAt
  amountSet { shopMoney { amount currencyCode } presentmentMoney { amount currencyCode } } }`;

/** The parts of an order and of a refund that come in pages, and what is read of each. */
export const PARTS = {
  lineItems: `{ id name quantity currentQuantity isGiftCard originalUnitPriceSet ${MONEY} ${DISCOUNTS} ${TAXES} duties { id price ${MONEY} ${TAXES} } }`,
  shippingLines: `{ id title isRemoved originalPriceSet ${MONEY} ${DISCOUNTS} ${TAXES} }`,
  refundLineItems: `{ quantity lineItem { id } subtotalSet ${MONEY} totalTaxSet ${MONEY} }`,
  refundShippingLines: '{ shippingLine { id } subtotalAmountSet { shopMoney { amount currencyCode } } }',
  orderAdjustments: `{ amountSet ${MONEY} taxAmountSet ${MONEY} }`,
  transactions: TRANSACTION,
} as const;

export type Part = keyof typeof PARTS;

/** The shop's time zone, in which its webhooks write the times of orders. */
const SHOP = 'shop { ianaTimezone }';

/** Refunds and payments of an order are lists without pages; one that is this long may be cut off. */
export const LIST = 10;
export const LONGEST_LIST = 150;
/** Refunds of an order that its summary lists; more are not counted. */
export const SUMMARY_REFUNDS = 5;

/** Payments of an order by which its payment methods are told. */
const SEEN_PAYMENTS = 3;

/** What one node of these queries costs by Shopify's documented sums; what it does cost is learned from the answers. */
export const COSTS = { summaries: 14, orders: 267, refunds: 113, seen: 6, rest: 16 } as const;

export const SUMMARIES = `query summaries($first: Int!, $after: String, $query: String!) {
  orders(first: $first, after: $after, sortKey: UPDATED_AT, query: $query) {
    nodes { id name createdAt updatedAt processedAt cancelledAt displayFinancialStatus test currencyCode
      currentTotalPriceSet ${MONEY} totalOutstandingSet ${MONEY} totalRefundedSet ${MONEY} netPaymentSet ${MONEY} refunds(first: ${SUMMARY_REFUNDS}) { id } }
    ${PAGE}
  }
}`;

export const ORDERS = `query orders($ids: [ID!]!) {
  ${SHOP}
  nodes(ids: $ids) {
    ... on Order {
      id name createdAt updatedAt processedAt cancelledAt displayFinancialStatus test currencyCode presentmentCurrencyCode taxesIncluded dutiesIncluded
      totalPriceSet ${MONEY} currentTotalPriceSet ${MONEY} totalTaxSet ${MONEY} currentTotalTaxSet ${MONEY} totalOutstandingSet ${MONEY} totalTipReceivedSet ${MONEY}
      originalTotalDutiesSet ${MONEY} currentTotalDutiesSet ${MONEY} originalTotalAdditionalFeesSet ${MONEY} currentTotalAdditionalFeesSet ${MONEY}
      totalCashRoundingAdjustment { paymentSet ${MONEY} refundSet ${MONEY} }
      paymentGatewayNames merchantOfRecordApp { id }
      email phone billingAddress { firstName lastName phone } shippingAddress { firstName lastName phone }
      lineItems(first: 10) { nodes ${PARTS.lineItems} ${PAGE} }
      shippingLines(first: 3, includeRemovals: true) { nodes ${PARTS.shippingLines} ${PAGE} }
      displayFulfillmentStatus fulfillments(first: ${LIST}) { createdAt status }
      refunds(first: ${LIST}) { id }
      transactions(first: ${LIST}) ${TRANSACTION}
    }
  }
}`;

export const REFUNDS = `query refunds($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Refund {
      id createdAt processedAt order { id updatedAt }
      duties { originalDuty { id } amountSet ${MONEY} }
      refundLineItems(first: 10) { nodes ${PARTS.refundLineItems} ${PAGE} }
      refundShippingLines(first: 3) { nodes ${PARTS.refundShippingLines} ${PAGE} }
      orderAdjustments(first: 3) { nodes ${PARTS.orderAdjustments} ${PAGE} }
      transactions(first: 5) { nodes ${PARTS.transactions} ${PAGE} }
    }
  }
}`;

/** The refunds and the payments of an order that has many. */
export const LONG_LISTS = {
  refunds: `query longRefunds($id: ID!) { node(id: $id) { ... on Order { updatedAt list: refunds(first: ${LONGEST_LIST}) { id } } } }`,
  transactions: `query longPayments($id: ID!) { node(id: $id) { ... on Order { updatedAt list: transactions(first: ${LONGEST_LIST}) ${TRANSACTION} } } }`,
} as const;

/** The next page of a part of an order or refund. */
export function restOf(part: Part): string {
  const isOfOrder = part === 'lineItems' || part === 'shippingLines';
  const removed = part === 'shippingLines' ? ', includeRemovals: true' : '';
  const page = `page: ${part}(first: $first, after: $after${removed}) { nodes ${PARTS[part]} ${PAGE} }`;
  const node = isOfOrder ? `... on Order { updatedAt ${page} }` : `... on Refund { order { updatedAt } ${page} }`;
  return `query rest($id: ID!, $after: String!, $first: Int!) { node(id: $id) { ${node} } }`;
}

export const ACCESS = 'query access { shop { id myshopifyDomain } currentAppInstallation { accessScopes { handle } } }';

/** One order, if there is any: shows whether orders can be read at all. */
export const ANY_ORDER = 'query anyOrder { orders(first: 1) { nodes { id } } }';

/** One order with its buyer: shows whether buyers are hidden, too. */
export const ONE_BUYER = 'query oneBuyer { orders(first: 1) { nodes { id email } } }';

/** Of the newest orders: what tells rates and payment methods. */
export const SEEN = `query seen($first: Int!, $after: String, $query: String!) {
  shop { name currencyCode taxesIncluded }
  orders(first: $first, after: $after, sortKey: CREATED_AT, reverse: true, query: $query) {
    nodes { id taxLines { title rate } transactions(first: ${SEEN_PAYMENTS}) { gateway formattedGateway } }
    ${PAGE}
  }
}`;

const WEBHOOK = '{ id topic uri format filter includeFields apiVersion { handle supported } }';

export const WEBHOOKS = `query webhooks($after: String) { webhookSubscriptions(first: 100, after: $after) { nodes ${WEBHOOK} ${PAGE} } }`;

export const CREATE_WEBHOOK = `mutation createWebhook($topic: WebhookSubscriptionTopic!, $webhook: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhook) { webhookSubscription ${WEBHOOK} userErrors { message } }
}`;

export const DELETE_WEBHOOK = `mutation deleteWebhook($id: ID!) {
  webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { message } }
}`;
