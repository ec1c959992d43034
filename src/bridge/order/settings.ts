export type PaymentMapping = { paymentType: string; paymentProcessorName?: string };

/** Merchant's decisions that a record depends on; frozen with the order's first record. */
export type Mapping = { vatGroups: Record<string, string>; payments: Record<string, PaymentMapping> };

/** The rest of a connection's settings that `desired` reads. */
export type FiscalSettings = Mapping & {
  /** ISO instant: orders paid before it are ignored. */
  recordFrom: string;
  /** The store is on trial: nothing is recorded yet. Absent: it is not. */
  onTrial?: boolean;
  removeWithoutRefund: 'review' | 'remove' | 'keep';
  freeOrders: 'ignore' | 'record';
  codPaidWhen: 'completed' | 'processing';
  codCancelled: 'review' | 'remove';
  giftCards: 'review' | 'ignore' | 'record';
  /** Gateways whose orders are paid on delivery. */
  codGateways: readonly string[];
  /** Statuses in which an order counts as paid, beside those of the platform. */
  paidStatuses: readonly string[];
  /** Percent as text: the VAT in the prices of a store that reckons none. */
  pricesContainVat: string | null;
  /** When the store was disconnected: orders paid then are not taken. ISO instants. */
  gaps: readonly { from: string; until: string }[];
  convertTo: 'BGN' | 'EUR' | null;
  /** Absent: an order in a currency that had ended when it was made is recorded as any other. */
  refuseEndedCurrencies?: boolean | undefined;
  /** What gift cards paid is taken off the order. Absent: if `giftCards` is record. */
  giftCardsTakenOff?: boolean;
  /** The status of `paidStatuses` in which it was first recorded: it counts as paid since. */
  paidStatus?: string;
};

/** The settings of an order's first record: later changes do not rewrite it. */
export type Frozen = Mapping &
  Pick<FiscalSettings, 'convertTo' | 'pricesContainVat'> & {
    /** null: no gift card was sold in it, so today's setting decides. */
    giftCards: 'ignore' | 'record' | null;
    /** null: no gift card had paid for it, so today's setting decides. */
    giftCardsTakenOff: boolean | null;
    paidStatus?: string;
  };
