import type { Connection } from '../connections/connection.ts';
import type { Delivery, Storefront } from '../storefronts/contract.ts';
import { type Acceptance, distrust, type Intake, readDelivery, take } from './accept-delivery.ts';

export type AppDelivery = {
  storefront: Storefront;
  delivery: Delivery;
  appSecret: string;
  /** Every connection of the store that the delivery names, live ones first. Called for a right signature alone. */
  connectionsOf(store: string): Promise<readonly Connection[]>;
};

export type AppAcceptance = { connectionId: string | null; acceptance: Acceptance };

/**
 * Takes a delivery from the one address of all shops of an app, signed with the app's secret. A privacy request concerns every connection that
 * the store ever had, and is valid for a store that has none; everything else is for the live one.
 */
export async function acceptAppDelivery(intake: Intake, { storefront, delivery, appSecret, connectionsOf }: AppDelivery): Promise<AppAcceptance> {
  const code = distrust(intake, { storefront, delivery, secrets: [appSecret] });
  if (code !== null) return { connectionId: null, acceptance: { accepted: false, code } };
  const { store } = storefront.envelope(delivery.headers);
  const connections = store === null ? [] : await connectionsOf(store);
  return { connectionId: connections[0]?.id ?? null, acceptance: await takeForStore(intake, { storefront, delivery, connections }) };
}

type OfStore = { storefront: Storefront; delivery: Delivery; connections: readonly Connection[] };

async function takeForStore(intake: Intake, { storefront, delivery, connections }: OfStore): Promise<Acceptance> {
  const read = await readDelivery(intake, storefront, delivery);
  if ('code' in read) return { accepted: false, ...read };
  if (read.normalized.kind === 'privacy') {
    for (const connection of connections) await take(intake, { connection, delivery, read });
    return { accepted: true, what: 'privacy' };
  }
  const [connection] = connections;
  if (connection === undefined) return { accepted: false, code: 'connection.unknown' };
  return take(intake, { connection, delivery, read });
}
