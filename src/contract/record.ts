import { z } from 'zod';

/** One line of a tax record, as JSON. Money is decimal text with VAT; `price` is the unit price before discount, `discount` what is taken off the line. */
export const recordLine = z.object({
  name: z.string(),
  quantity: z.number(),
  price: z.string(),
  discount: z.string(),
  vatRate: z.string(),
  vatGroup: z.string(),
});
export type RecordLine = z.output<typeof recordLine>;

const recordContent = z.object({
  internalId: z.string(),
  internalNumber: z.string(),
  internalCreatedAt: z.string(),
  lineItems: z.array(recordLine),
  paymentType: z.string(),
  paymentProcessorName: z.string().nullable(),
  currency: z.string(),
  precision: z.int(),
});

/** The fiscal content of a `CreateOrderDto`: all of it but the customer, the shop and the late transaction id. */
export type RecordContent = z.output<typeof recordContent>;

/** What should stand, or stands, at the compliance service; the customer is kept elsewhere and joined when it is sent. */
export const taxRecord = recordContent.extend({ transactionId: z.string().nullable() });
export type TaxRecord = z.output<typeof taxRecord>;

const word = z.string().exactOptional();

/** Buyer data: the only personal data there is, kept apart from all else so that it can be erased. */
export const customer = z.object({ email: word, phone: word, firstName: word, lastName: word });
export type Customer = z.output<typeof customer>;
