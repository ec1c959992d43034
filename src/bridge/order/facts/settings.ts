import { ownValue } from '../../../contract/own-value.ts';
import { canonicalText } from './canonical-text.ts';

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
  giftCardsDeducted?: boolean;
  /** The status of `paidStatuses` in which it was first recorded: it counts as paid since. */
  paidStatus?: string;
};

/** The settings of an order's first record: later changes do not rewrite it. */
export type Frozen = Mapping &
  Pick<FiscalSettings, 'convertTo' | 'pricesContainVat'> & {
    /** null: no gift card was sold in it, so today's setting decides. */
    giftCards: 'ignore' | 'record' | null;
    /** null: no gift card had paid for it, so today's setting decides. */
    giftCardsDeducted: boolean | null;
    paidStatus?: string;
  };

/** The ids of each online processor's gateways, by the processor's name. */
export type Gateways = Readonly<Record<string, readonly string[]>>;

/** The default mapping: the one VAT group in the service's documentation, and online processors by gateway id. */
export function defaultMapping(gateways: Gateways): Mapping {
  const payments = Object.entries(gateways).flatMap(([name, ids]) => ids.map((id) => [id, processor(name)] as const));
  return { vatGroups: { '20': 'GROUP_B' }, payments: Object.fromEntries(payments) };
}

function processor(paymentProcessorName: string): PaymentMapping {
  return { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName };
}

/** What a merchant may set of it; absent and undefined are the same. */
type MerchantMapping = {
  vatGroups?: Readonly<Record<string, string>> | undefined;
  payments?: Readonly<Record<string, { paymentType: string; paymentProcessorName?: string | undefined }>> | undefined;
};

/** The merchant's entries over the defaults, key by key; VAT rates in one way of writing ("20.0" is "20"). */
export function effectiveMapping({ vatGroups = {}, payments = {} }: MerchantMapping, defaults: Mapping): Mapping {
  const groups = Object.entries(vatGroups).map(([rate, group]) => [canonicalRate(rate), group] as const);
  const said = Object.entries(payments).map(([gateway, { paymentType, paymentProcessorName: name }]) => {
    return [gateway, name === undefined ? { paymentType } : { paymentType, paymentProcessorName: name }] as const;
  });
  return {
    vatGroups: { ...defaults.vatGroups, ...Object.fromEntries(groups) },
    payments: { ...defaults.payments, ...Object.fromEntries(said) },
  };
}

/** The settings of a connection and its storefront that decisions depend on. */
export type Terms = {
  destinationId: string;
  /** ISO instant: orders paid before it are ignored. */
  recordFrom: string;
  /** The store is on trial: no order of it is recorded for the first time. */
  onTrial: boolean;
  /** Online processors that the merchant need not map. */
  gateways: Gateways;
  /** The storefront sends a payment's transaction id later than its order. */
  transactionComesLater: boolean;
  /** A refund can be deleted in the storefront while the order's `updatedAt` stands still. */
  refundsVanish: boolean;
  gaps: FiscalSettings['gaps'];
  settings: MerchantMapping &
    Pick<
      FiscalSettings,
      | 'removeWithoutRefund'
      | 'freeOrders'
      | 'codPaidWhen'
      | 'codCancelled'
      | 'giftCards'
      | 'codGateways'
      | 'paidStatuses'
      | 'pricesContainVat'
      | 'convertTo'
      | 'refuseEndedCurrencies'
    > & {
      /** After a create whose reply was lost, at a service that ignores Idempotency-Key. */
      unknownOutcome: 'ask' | 'resend';
      receipts: boolean;
      transactionWaitSeconds: number;
    };
};

/** False if a decision may come out differently now. */
export function sameTerms(a: Terms, b: Terms): boolean {
  return canonicalText([a.settings, a.recordFrom, a.onTrial, a.gaps]) === canonicalText([b.settings, b.recordFrom, b.onTrial, b.gaps]);
}

/** "20.0" and "020" → "20", "25.50" → "25.5"; text that is no plain number stays as it is. */
export function canonicalRate(rate: string): string {
  const [, whole, fraction = ''] = /^0*(0|[1-9]\d*)(?:\.((?:0*[1-9])*)0*)?$/.exec(rate.trim()) ?? [];
  if (whole === undefined) return rate;
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The group of a VAT rate, however merchant and storefront write it; undefined if it has none. */
export function vatGroupOf(rate: string, groups: Readonly<Record<string, string>>): string | undefined {
  const wanted = canonicalRate(rate);
  return ownValue(groups, wanted) ?? Object.entries(groups).find(([key]) => canonicalRate(key) === wanted)?.[1];
}
