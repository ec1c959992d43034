import { canonicalText } from './canonical-text.ts';
import type { Gateways, MerchantMapping } from './mapping.ts';
import type { FiscalSettings } from './settings.ts';

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
