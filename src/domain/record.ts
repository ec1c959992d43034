import type { Problem } from './failure.ts';

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

/** What the facts and the settings ask for. */
export type Desired = { kind: 'record'; record: TaxRecord } | { kind: 'nothing'; why: NothingReason } | { kind: 'problems'; problems: [Problem, ...Problem[]] };

/** Why nothing should stand: people see it as the order's state. */
export type NothingReason = 'unknown' | 'draft' | 'test' | 'unpaid' | 'before-record-from' | 'free' | 'refunded' | 'removed';

export type PaymentMapping = { paymentType: string; paymentProcessorName?: string };

/** Merchant's decisions that a record depends on; frozen with the order's first record. */
export type Mapping = { vatGroups: Record<string, string>; payments: Record<string, PaymentMapping> };

/** The rest of a connection's settings that `desired` reads. */
export type FiscalSettings = Mapping & {
  /** ISO instant: orders paid before it are ignored. */
  recordFrom: string;
  removeWithoutRefund: 'park' | 'remove' | 'keep';
  freeOrders: 'ignore' | 'record';
  codPaidWhen: 'completed' | 'processing';
  convertTo: 'BGN' | 'EUR' | null;
};

/** What an order's first record was made with: later changes of the settings do not rewrite it. */
export type Frozen = Mapping & Pick<FiscalSettings, 'convertTo'>;
