import { z } from 'zod';
import { PAYMENT_TYPES, VAT_GROUPS } from './enumerations.ts';
import { limits } from './limits.ts';
import { anyText, text } from './text.ts';

// Room for minor units of the largest amount; the exact limit is checked once the unit is known (see `decodeOrder`).
const amount = z
  .number()
  .min(0, 'must not be negative')
  .lt(limits.amountBelow * 10 ** limits.precision, 'is too large');

/** Buyer data. Only lengths are checked: a tax record must not be refused for a buyer's mistyped phone number. */
const customerDto = z.strictObject({
  email: anyText(limits.customerEmail).optional(),
  phone: anyText(limits.customerPhone).optional(),
  firstName: anyText(limits.customerName).optional(),
  lastName: anyText(limits.customerName).optional(),
});

const lineItemDto = z.strictObject({
  name: text(limits.lineName),
  quantity: z.number().positive('must be above zero').max(limits.quantity, `must be ${limits.quantity} at most`),
  price: amount,
  discount: amount.optional(),
  vatRate: z.number().min(0, 'must not be negative').max(100, 'must be 100 at most'),
  vatGroup: z.enum(VAT_GROUPS),
});

/** CreateOrderDto: the shape of an order on the wire. Amounts are in the unit of the API key (see `Dialect`). */
export const createOrderDto = z.strictObject({
  internalId: text(limits.internalId),
  internalNumber: text(limits.internalNumber),
  internalCreatedAt: z.iso.datetime({ offset: true, local: true, error: 'must be an ISO 8601 timestamp' }),
  customer: customerDto.optional(),
  lineItems: z.array(lineItemDto).min(1, 'must hold at least one line').max(limits.lineItems, `must hold ${limits.lineItems} lines at most`),
  paymentType: z.enum(PAYMENT_TYPES),
  paymentProcessorName: text(limits.paymentProcessorName).optional(),
  transactionId: text(limits.transactionId).optional(),
  precision: z.int().min(0).max(limits.precision),
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a currency code of three capital letters'),
  shopId: z.guid('must be a UUID'),
});

// Another service may know other groups and payment types than ours: what is sent is typed as text, what we accept is checked above.
export type LineItemDto = Omit<z.output<typeof lineItemDto>, 'vatGroup'> & { vatGroup: string };
export type CreateOrderDto = Omit<z.output<typeof createOrderDto>, 'lineItems' | 'paymentType'> & { lineItems: LineItemDto[]; paymentType: string };
