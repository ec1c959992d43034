/** The JSON that a shop of one's own sends: the published JSON Schema is made from these schemas, so every field says what it means. */
import { z } from 'zod';
import { hasUsualOffset, OFFSET_TOO_LARGE } from '../../../contract/day.ts';
import { DECIMAL, isNegative, isZero, subtract } from '../amounts.ts';

// Beyond it, ISO 8601 in UTC takes more digits, and text order is not time order.
const MOST_MS = Date.UTC(9999);

const MOST_PIECES = 1_000_000_000;
/** Each order is decided as one: what has more lines is recorded by hand. */
const MOST_LINES = 5_000;

const text = z.string().min(1).max(200);
export const id = text.meta({ description: 'Your own id, as text; it never changes.' });

// `abort`: later checks may calculate, and read nothing but decimal text.
const decimal = z
  .string({ error: 'must be decimal text like "24.00", not a number' })
  .regex(DECIMAL, { error: 'must be decimal text like "24.00"', abort: true });
const money = decimal.refine((given) => !isNegative(given), 'must not be negative').meta({ description: 'Decimal text including VAT, like "24.00".' });
export const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 date and time with its zone, like 2026-11-21T09:30:00Z' })
  .refine(hasUsualOffset, OFFSET_TOO_LARGE)
  .refine((given) => Date.parse(given) >= 0 && Date.parse(given) < MOST_MS, 'must lie between 1970 and 9998');

const quantityWords = 'must be a whole number above zero, or decimal text like "0.5"';

const quantity = z
  .union([z.int().positive().max(MOST_PIECES).transform(String), decimal], { error: quantityWords })
  .refine((given) => !isNegative(given) && !isZero(given), quantityWords)
  .meta({ description: 'How many: a whole number above zero, or decimal text like "0.5".' });

const line = z
  .strictObject({
    id: id.meta({ description: 'Id of the line, unique within the order; refunds name it.' }),
    kind: z.enum(['item', 'shipping', 'fee', 'tip', 'duty']).default('item').meta({ description: 'What the line is for.' }),
    name: z.string().min(1).max(1000).meta({ description: 'Name as the customer saw it.' }),
    quantity: quantity.default('1'),
    amount: decimal.meta({
      description: 'Price of the whole line including VAT, before discount: unit price × quantity. Negative only for a fee that is a discount.',
    }),
    discount: money.default('0').meta({ description: 'Money taken off the whole line, including VAT.' }),
    vatRate: z
      .string({ error: 'must be percent as text like "20"' })
      .regex(/^\d{1,3}(\.\d{1,4})?$/, 'must be percent as text like "20"')
      .meta({ description: 'VAT rate in percent, as text: "20", "9", "0".' }),
    giftCard: z.boolean().default(false).meta({ description: 'True for the sale of a gift card; the connection’s settings say what that is (`giftCards`).' }),
  })
  .refine(({ kind, amount }) => kind === 'fee' || !isNegative(amount), { path: ['amount'], error: 'is negative, which only a fee may be' })
  .refine(({ amount, discount }) => isZero(discount) || !isNegative(subtract(amount, discount)), { path: ['discount'], error: 'is more than the amount' });

const returnedWords = 'must be a whole number, or decimal text like "0.5"';

const refundLine = z.strictObject({
  lineId: id.meta({ description: 'Id of the order’s line that was given back.' }),
  quantity: z
    .union([z.int().nonnegative().max(MOST_PIECES).transform(String), decimal], { error: returnedWords })
    .refine((given) => !isNegative(given), returnedWords)
    .default('0')
    .meta({ description: 'How many came back; 0 if only money was given back.' }),
  amount: decimal.meta({ description: 'Money given back for this line, including VAT; negative only if the line itself is.' }),
});

const refund = z
  .strictObject({
    id: id.meta({ description: 'Id of the refund, unique within the order.' }),
    at: instant.meta({ description: 'When the money was given back.' }),
    amount: money.meta({ description: 'Money given back in all, including VAT.' }),
    lines: z.array(refundLine).max(MOST_LINES).default([]).meta({
      description: 'What was given back. Leave it out if only an amount was; that can be recorded only if all lines have one VAT rate.',
    }),
  })
  .meta({ id: 'Refund' });

const payment = z
  .strictObject({
    method: text.meta({ description: 'Your id of the payment method; the connection’s settings map it (`payments`).' }),
    transactionId: text.nullish().meta({ description: 'The payment processor’s own reference.' }),
  })
  .nullish()
  .meta({ description: 'How it was or will be paid. May be left out only while the order is pending or cancelled, or if it costs nothing.' });

const customer = z
  .strictObject({ email: z.string().max(320), phone: z.string().max(50), firstName: z.string().max(200), lastName: z.string().max(200) })
  .partial()
  .nullish()
  .meta({ description: 'The buyer. It goes into the tax record and can be erased.' });

export const order = z
  .strictObject({
    id: id.meta({ description: 'Your order id; every message about this order has the same.' }),
    number: text.meta({ description: 'What people call the order.' }),
    status: z.enum(['pending', 'on-delivery', 'paid', 'cancelled']).meta({
      description:
        'pending: not paid yet. on-delivery: accepted, to be paid in cash on delivery. paid: paid in full, even if refunded since. cancelled: called off, paid before or not.',
    }),
    createdAt: instant.meta({ description: 'When the order was placed.' }),
    updatedAt: instant.meta({ description: 'When the order last changed, refunds included. The latest state wins; give milliseconds if you have them.' }),
    paidAt: instant.nullish().meta({
      description: 'When it was paid. Required when the status is paid; beside the status pending it says that a change left something unpaid.',
    }),
    deliveredAt: instant.nullish().meta({
      description: 'When all of it was delivered, or handed over. It decides the month of the order if the connection’s settings say so (`monthBy`).',
    }),
    test: z
      .boolean()
      .default(false)
      .meta({ description: 'True for a trial order: it is never recorded. On an order that is recorded already it proves nothing: a person is asked.' }),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a currency code of three capital letters')
      .meta({ description: 'ISO 4217 code of all amounts.' }),
    total: money.meta({ description: 'What the customer paid or has to pay including VAT, before any refund: the sum over lines of amount − discount.' }),
    lines: z.array(line).max(MOST_LINES).meta({ description: 'Everything that was sold, shipping and fees included, as ordered: refunds do not change it.' }),
    payment,
    customer,
    refunds: z.array(refund).max(1000).nullish().meta({
      description: 'All refunds so far. Leave it out only if you send each refund by itself, with orderId and refund.',
    }),
    metadata: z.record(z.string(), z.unknown()).optional().meta({ description: 'Yours; not read.' }),
  })
  .refine(({ status, paidAt }) => status !== 'paid' || typeof paidAt === 'string', { path: ['paidAt'], error: 'is required when the status is paid' })
  .refine((given) => (typeof given.payment === 'object' && given.payment !== null) || !needsPayment(given), {
    path: ['payment'],
    error: 'is required when the status is paid or on-delivery',
  })
  .refine(({ lines }) => isUnique(lines), { path: ['lines'], error: 'use an id twice' })
  .refine(({ refunds }) => isUnique(refunds ?? []), { path: ['refunds'], error: 'use an id twice' })
  .meta({ id: 'Order' });

const timestamp = instant.optional().meta({ description: 'When it happened.' });
const type = z
  .string()
  .optional()
  .meta({
    description: 'What happened, such as order.paid, order.updated, order.refunded or order.cancelled. Any text: what counts is the order.',
    examples: ['order.paid', 'order.updated', 'order.refunded', 'order.cancelled'],
  });

const refundBeside = refund.nullish().meta({ description: 'The refund that the message is about, if you like: it counts as one that came by itself.' });

/** The full order as it is now; what counts is the order, the type only says why it is sent. */
export const orderMessage = z
  .looseObject({ type, timestamp, data: z.looseObject({ order, refund: refundBeside }) })
  .meta({ description: 'The whole order as it is now, with all refunds so far.' });

/** A refund alone, for shops that do not have the whole order at hand when they refund. */
export const refundMessage = z
  .looseObject({ type, timestamp, data: z.looseObject({ orderId: id, refund }) })
  .meta({ description: 'One refund of an order that was or will be sent in another message.' });

export const deletedOrder = z
  .strictObject({
    id,
    deleted: z.literal(true).meta({ description: 'The order is gone for good.' }),
    updatedAt: instant.optional().meta({ description: 'When it was deleted. Required in a list of changes.' }),
  })
  .meta({ id: 'DeletedOrder', description: 'An order that you deleted.' });

export const deletedMessage = z
  .looseObject({ type, timestamp, data: z.looseObject({ order: deletedOrder, refund: refundBeside }) })
  .meta({ description: 'An order that the shop has no more.' });

/** Every body that a Standard Webhooks connection reads. Money is decimal text including VAT. */
export const standardWebhook = z
  .union([orderMessage, deletedMessage, refundMessage])
  .meta({ title: 'Orderbridge Standard Webhook', description: 'Body of a webhook that a shop sends to orderbridge, signed as Standard Webhooks 1.0 says.' });

export type StandardOrder = z.output<typeof order>;
export type StandardRefund = z.output<typeof refund>;

function needsPayment({ status, total }: { status: string; total: string }): boolean {
  return (status === 'paid' || status === 'on-delivery') && !isZero(total);
}

function isUnique(things: readonly { id: string }[]): boolean {
  return new Set(things.map((thing) => thing.id)).size === things.length;
}
