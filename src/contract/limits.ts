/** Every limit of the interface, in one place; lengths are in UTF-16 code units. Their reasons are in `docs/compliance-api.md`. */
export const limits = {
  bodyBytes: 2 * 1024 * 1024,
  idempotencyKey: 255,
  internalId: 255,
  internalNumber: 255,
  lineItems: 1000,
  lineName: 1000,
  quantity: 1_000_000,
  quantityDecimals: 3,
  /** The limit of one price or discount, in units of the currency: below it 4 decimals are still an exact JSON number. */
  amountBelow: 1_000_000_000,
  /** The limit of an order's lines together before discount: below it every sum is an exact JSON number. */
  totalBelow: 100_000_000_000,
  vatRateDecimals: 2,
  precision: 4,
  paymentProcessorName: 255,
  transactionId: 200,
  customerEmail: 254,
  customerPhone: 50,
  customerName: 255,
  shopName: 250,
  domain: 200,
  nraNumber: 10,
  companyName: 250,
  companyAddress: 500,
  auditRecipients: 20,
  auditGenerationDay: 28,
  /** The last day of generation that leaves three days before the term, the 15th. */
  timelyGenerationDay: 12,
  /** Document numbers have ten digits. */
  receiptStartNumber: 9_999_999_999,
  /** Entries of what is outstanding, one a month and currency; codes of one; orders. */
  outstandingMonths: 100,
  outstandingCodes: 50,
  outstandingOrders: 10_000_000,
  /** What a person says of a month: the agency's number, its words, and what was agreed with the accountant. */
  incomingNumber: 50,
  rejectedWords: 4000,
  nothingNote: 1000,
  /** Items per part of a list: the most, and the default. */
  pageSize: 100,
  pageSizeDefault: 50,
} as const;
