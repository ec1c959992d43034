import { ownValue } from '../../contract/own-value.ts';
import type { Connection } from '../connections/connection.ts';
import type { Delivery, Normalized, Storefront } from '../storefronts/contract.ts';
import type { StoreApp } from '../storefronts/store-app.ts';
import { type Acceptance, distrust, type Intake, readDelivery, take } from './accept-delivery.ts';

export type AppDelivery = {
  storefront: Storefront;
  delivery: Delivery;
  /** The app whose address it came to; null: the one that the environment names. */
  app: SigningApp | null;
  /** Those of the app that are live. */
  secrets: readonly string[];
  /** Every connection of the store that the delivery names, live ones first. Called for a right signature alone. */
  connectionsOf(store: string): Promise<readonly Connection[]>;
};

type SigningApp = Pick<StoreApp, 'id' | 'kind' | 'clientId'>;

export type AppAcceptance = { connectionId: string | null; acceptance: Acceptance };

/**
 * Takes a delivery from the one address of all shops of an app, signed with the app's secret. A privacy request concerns every connection that
 * the store ever had, and is valid for a store that has none; everything else is for a live one, that which came by this app before others. What an app
 * of a merchant's own organisation signed is for that app's connections alone.
 */
export async function acceptAppDelivery(intake: Intake, given: AppDelivery): Promise<AppAcceptance> {
  const { storefront, delivery, app, secrets, connectionsOf } = given;
  const code = distrust(intake, { storefront, delivery, secrets });
  if (code !== null) return { connectionId: null, acceptance: { accepted: false, code } };
  const { store } = storefront.envelope(delivery.headers);
  const connections = store === null ? [] : ordered((await connectionsOf(store)).filter(countsFor(app)), app);
  return { connectionId: connections[0]?.id ?? null, acceptance: await takeForStore(intake, { storefront, delivery, app, connections }) };
}

/**
 * The secret of an app of a merchant's own organisation is the merchant's, who may sign with it for any store: it counts where the app gives the keys, by
 * its row or by its client id. Those of other apps are of whoever runs this program.
 */
function countsFor(app: SigningApp | null): (connection: Connection) => boolean {
  if (app?.kind !== 'own') return () => true;
  return ({ app: cameBy, access }) => cameBy === app.id || (access !== null && ownValue(access, 'clientId') === app.clientId);
}

function ordered(connections: readonly Connection[], app: SigningApp | null): Connection[] {
  const rank = (one: Connection) => (one.closedAt !== null ? 2 : one.app === (app?.id ?? null) ? 0 : 1);
  return connections.toSorted((one, other) => rank(one) - rank(other));
}

type OfStore = Pick<AppDelivery, 'storefront' | 'delivery' | 'app'> & { connections: readonly Connection[] };

async function takeForStore(intake: Intake, { storefront, delivery, app, connections }: OfStore): Promise<Acceptance> {
  const read = await readDelivery(intake, storefront, delivery);
  if ('code' in read) return { accepted: false, ...read };
  if (read.normalized.kind === 'privacy') {
    for (const connection of connections) await take(intake, { connection, delivery, read });
    return { accepted: true, what: 'privacy' };
  }
  const [connection] = connections;
  if (connection === undefined) return { accepted: false, code: 'connection.unknown' };
  // A store may have two apps of ours: that one was uninstalled says nothing of a connection that came by the other.
  if (isOfApp(read.normalized) && connection.app !== null && connection.app !== app?.id) return { accepted: true, what: 'ignored' };
  return take(intake, { connection, delivery, read });
}

/** It is about the app itself, not about what the store sells. */
function isOfApp({ kind }: Normalized): boolean {
  return kind === 'closed' || kind === 'granted';
}
