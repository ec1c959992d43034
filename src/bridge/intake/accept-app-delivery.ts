import type { Connection } from '../connections/connection.ts';
import type { Delivery, Storefront } from '../storefronts/contract.ts';
import { type Acceptance, type Intake, readDelivery, take } from './accept-delivery.ts';

export type AppDelivery = {
  storefront: Storefront;
  /** Every connection of the store that the delivery names, live ones first. */
  connections: readonly Connection[];
  delivery: Delivery;
  appSecret: string;
};

/**
 * Takes a delivery from the one address of all shops of an app, signed with the app's secret. A privacy request concerns every connection that
 * the store ever had, and is valid for a store that has none; everything else is for the live one.
 */
export async function acceptAppDelivery(intake: Intake, { storefront, connections, delivery, appSecret }: AppDelivery): Promise<Acceptance> {
  const read = readDelivery(intake, { storefront, delivery, secrets: [appSecret] });
  if (!read.ok) return { accepted: false, code: read.code };
  if (read.normalized.kind === 'privacy') {
    for (const connection of connections) await take(intake, { connection, delivery, read });
    return { accepted: true, what: 'privacy' };
  }
  const [connection] = connections;
  if (connection === undefined) return { accepted: false, code: 'connection.unknown' };
  return take(intake, { connection, delivery, read });
}
