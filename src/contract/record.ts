import { z } from 'zod';

/** One line of a tax record, as JSON. Money is decimal text with VAT; `price` is the unit price before discount, `discount` the reduction of the whole line. */
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

/** The fiscal content of a `CreateOrderDto`: all but the customer, the shop and a late transaction id. */
export type RecordContent = z.output<typeof recordContent>;

/** The record that is, or should be, at the compliance service; the customer is stored elsewhere and joined on sending. */
export const taxRecord = recordContent.extend({ transactionId: z.string().nullable() });
export type TaxRecord = z.output<typeof taxRecord>;

const word = z.string().exactOptional();

/** Buyer data: the only personal data, stored apart so that it can be erased. */
export const customer = z.object({ email: word, phone: word, firstName: word, lastName: word });
export type Customer = z.output<typeof customer>;
