import { canonicalText } from './canonical-text.ts';
import type { Gateways, SaidMapping } from './mapping.ts';
import type { FiscalSettings } from './settings.ts';

/** What a connection and its storefront say of orders, as far as decisions depend on it. */
export type Terms = {
  destinationId: string;
  /** ISO instant: orders paid before it are ignored. */
  recordFrom: string;
  /** Online processors that need no word of the merchant. */
  gateways: Gateways;
  /** The storefront sends a payment's transaction id later than its order. */
  transactionComesLater: boolean;
  settings: SaidMapping &
    Pick<FiscalSettings, 'removeWithoutRefund' | 'freeOrders' | 'codPaidWhen' | 'convertTo'> & {
      /** After a create whose reply was lost, at a service that ignores Idempotency-Key. */
      unknownOutcome: 'ask' | 'resend';
      receipts: boolean;
      transactionWaitSeconds: number;
    };
};

/** False if a decision may come out differently now. */
export function sameTerms(a: Terms, b: Terms): boolean {
  return canonicalText([a.settings, a.recordFrom]) === canonicalText([b.settings, b.recordFrom]);
}
