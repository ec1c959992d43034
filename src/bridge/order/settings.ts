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
  codCancelled: 'park' | 'remove';
  giftCards: 'park' | 'ignore' | 'record';
  /** Gateways whose orders are paid on delivery. */
  codGateways: readonly string[];
  /** Statuses in which an order counts as paid, beside those of the platform. */
  paidStatuses: readonly string[];
  /** Percent as text: the VAT in the prices of a store that reckons none. */
  pricesContainVat: string | null;
  /** When the store was disconnected: orders paid then are not taken. ISO instants. */
  gaps: readonly { from: string; until: string }[];
  convertTo: 'BGN' | 'EUR' | null;
};

/** The settings of an order's first record: later changes do not rewrite it. */
export type Frozen = Mapping & Pick<FiscalSettings, 'convertTo'>;
