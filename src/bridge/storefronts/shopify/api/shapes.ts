/** The answers of the Admin API, as far as they were requested. Amounts are read as millionths of the shop's currency. */
import { z } from 'zod';
import { amount, count, instant, personal, rate } from '../payload.ts';

/** "gid://shopify/LineItem/123" → "123": what webhooks call it. */
export const gid = z
  .string()
  .regex(/^gid:\/\/shopify\/\w+\/\d{1,30}(\?|$)/, 'not an id of Shopify')
  .transform((text) => text.replace(/\?.*$/s, '').replace(/^.*\//, ''));
const ref = z.object({ id: gid });

const bag = z.object({ shopMoney: z.object({ amount }) }).transform(({ shopMoney }) => shopMoney.amount);
const moneyText = z.object({ amount, currencyCode: z.string() });

export const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

function pageOf<Node extends z.ZodType>(node: Node) {
  return z.object({ nodes: z.array(node), pageInfo });
}

const taxLines = z.array(z.object({ priceSet: bag, rate, channelLiable: z.boolean().nullish() }));
const discountAllocations = z.array(z.object({ allocatedAmountSet: bag }));

const transaction = z.object({
  id: gid,
  kind: z.string(),
  status: z.string(),
  gateway: z.string().nullable(),
  paymentId: z.string().nullable(),
  createdAt: instant,
  processedAt: instant.nullable(),
  amountSet: z.object({ shopMoney: moneyText, presentmentMoney: moneyText }),
});

/** One node of each part that comes in pages. */
export const partNodes = {
  lineItems: z.object({
    id: gid,
    name: z.string(),
    quantity: count,
    currentQuantity: count,
    isGiftCard: z.boolean(),
    originalUnitPriceSet: bag,
    discountAllocations,
    taxLines,
    duties: z.array(z.object({ id: gid, price: bag, taxLines })),
  }),
  shippingLines: z.object({ id: gid.nullable(), title: z.string(), isRemoved: z.boolean(), originalPriceSet: bag, discountAllocations, taxLines }),
  refundLineItems: z.object({ quantity: count, lineItem: ref, subtotalSet: bag, totalTaxSet: bag }),
  refundShippingLines: z.object({ shippingLine: z.object({ id: gid.nullable() }), subtotalAmountSet: z.object({ shopMoney: moneyText }) }),
  orderAdjustments: z.object({ amountSet: bag, taxAmountSet: bag }),
  transactions: transaction,
} as const;

const status = z.string().nullable();

const dated = { id: gid, name: z.string(), createdAt: instant, updatedAt: instant, processedAt: instant, cancelledAt: instant.nullable() };

const person = { firstName: personal, lastName: personal, phone: personal };
const address = z.object(person).nullish().catch(null);

/** `gid`: its id as the API names it. */
export const summaryShape = z.object({
  ...dated,
  displayFinancialStatus: status,
  test: z.boolean(),
  currencyCode: z.string(),
  currentTotalPriceSet: bag,
  totalOutstandingSet: bag,
  totalRefundedSet: bag,
  netPaymentSet: bag,
  refunds: z.array(ref),
});

export const orderShape = z.object({
  ...dated,
  displayFinancialStatus: status,
  test: z.boolean(),
  currencyCode: z.string().regex(/^[A-Z]{3}$/, 'not an ISO 4217 code'),
  presentmentCurrencyCode: z.string(),
  taxesIncluded: z.boolean(),
  dutiesIncluded: z.boolean(),
  totalPriceSet: bag,
  currentTotalPriceSet: bag,
  totalTaxSet: bag.nullable(),
  currentTotalTaxSet: bag,
  totalOutstandingSet: bag,
  totalTipReceivedSet: bag,
  originalTotalDutiesSet: bag.nullable(),
  currentTotalDutiesSet: bag.nullable(),
  originalTotalAdditionalFeesSet: bag.nullable(),
  currentTotalAdditionalFeesSet: bag.nullable(),
  totalCashRoundingAdjustment: z.object({ paymentSet: bag, refundSet: bag }),
  paymentGatewayNames: z.array(z.string()),
  merchantOfRecordApp: ref.nullable(),
  email: personal,
  phone: personal,
  billingAddress: address,
  shippingAddress: address,
  lineItems: pageOf(partNodes.lineItems),
  shippingLines: pageOf(partNodes.shippingLines),
  displayFulfillmentStatus: z.string(),
  fulfillments: z.array(z.object({ createdAt: instant, status: z.string() })),
  refunds: z.array(ref),
  transactions: z.array(transaction),
});

export const refundShape = z.object({
  id: gid,
  createdAt: instant.nullable(),
  processedAt: instant,
  order: z.object({ id: gid, updatedAt: instant }),
  duties: z.array(z.object({ originalDuty: ref.nullable(), amountSet: bag })).nullable(),
  refundLineItems: pageOf(partNodes.refundLineItems),
  refundShippingLines: pageOf(partNodes.refundShippingLines),
  orderAdjustments: pageOf(partNodes.orderAdjustments),
  transactions: pageOf(partNodes.transactions),
});

export type SummaryShape = z.output<typeof summaryShape>;
export type OrderShape = z.output<typeof orderShape>;
export type RefundShape = z.output<typeof refundShape>;
export type TransactionShape = z.output<typeof transaction>;
