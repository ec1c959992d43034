import type { Connection } from '../connections/connection.ts';
import type { Terms } from '../order/facts/settings.ts';
import type { Storefront } from '../storefronts/contract.ts';

/** What decisions about the orders of a connection depend on. */
export function termsOf(
  { destinationId, recordFrom, trialSince, gaps, settings }: Connection,
  { gateways, transactionComesLater, refundsVanish }: Storefront,
): Terms {
  const terms = { destinationId, recordFrom, onTrial: trialSince !== null, gaps, settings };
  return { ...terms, gateways, transactionComesLater, refundsVanish: refundsVanish === true };
}
