/** Every limit of the interface, in one place; lengths are in UTF-16 code units. Their reasons are in `docs/compliance-service.md`. */
export const limits = {
  bodyBytes: 2 * 1024 * 1024,
  idempotencyKey: 255,
  internalId: 255,
  internalNumber: 255,
  lineItems: 1000,
  lineName: 1000,
  quantity: 1_000_000,
  quantityDecimals: 3,
  /** One price or discount is less than this, in units of the currency: with 4 decimals it still is an exact JSON number. */
  amountBelow: 1_000_000_000,
  /** An order's lines together cost less than this before discount; every sum stays an exact JSON number. */
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
  /** Document numbers have ten digits. */
  receiptStartNumber: 9_999_999_999,
  /** Items of one part of a list: at most, and if nothing is said. */
  pageSize: 100,
  pageSizeDefault: 50,
} as const;
