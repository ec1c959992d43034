/** One line of a tax record. Money is decimal text with VAT; `price` is the unit price before discount, `discount` what is taken off the line. */
export type RecordLine = { name: string; quantity: number; price: string; discount: string; vatRate: string; vatGroup: string };

/** The fiscal content of a `CreateOrderDto`: all of it but the customer, the shop and the late transaction id. */
export type RecordContent = {
  internalId: string;
  internalNumber: string;
  internalCreatedAt: string;
  lineItems: RecordLine[];
  paymentType: string;
  paymentProcessorName: string | null;
  currency: string;
  precision: number;
};

/** What should stand, or stands, at the compliance service; the customer is kept elsewhere and joined when it is sent. */
export type TaxRecord = RecordContent & { transactionId: string | null };

/** Buyer data: the only personal data there is, kept apart from all else so that it can be erased. */
export type Customer = { email?: string; phone?: string; firstName?: string; lastName?: string };
