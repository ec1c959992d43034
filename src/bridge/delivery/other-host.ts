import type { Connection, StoreHost } from '../connections/connection.ts';
import { hostOf, whoseStore } from '../connections/whose-store.ts';
import type { Storefront } from '../storefronts/contract.ts';
import type { AcceptedDelivery } from './jobs.ts';
import type { UnknownHost } from './record-deliveries.ts';

/** ours: of the connection's store. unknown: it names a host that is not known as that store's. counted: a person said that it is not; nothing is kept. */
export type Whose = { is: 'ours' } | { is: 'unknown'; host: string } | { is: 'counted' };

type Received = { storefront: Storefront; connection: Connection; delivery: AcceptedDelivery };

/**
 * Whose a delivery is that is no news of an order, by the stores that its headers and its signed body name. Unlike an order it never decides about
 * a host. `admit` counts those of hosts that are not the store's.
 */
export async function whoseNotice(received: Received, admit: (unknown: UnknownHost) => Promise<StoreHost['verdict']>): Promise<Whose> {
  const { connection, delivery } = received;
  const host = otherHost(received);
  if (host === null) return { is: 'ours' };
  if (connection.hosts.find((one) => one.host === host)?.verdict !== 'not-ours') return { is: 'unknown', host };
  // A person may have said otherwise meanwhile.
  return (await admit({ delivery, host, store: connection.store, undecided: false })) === 'ours' ? { is: 'ours' } : { is: 'counted' };
}

function otherHost({ storefront, connection, delivery }: Received): string | null {
  const named = namesIn(delivery).map((name) => whoseStore(storefront, connection, name));
  const other = named.find(({ whose }) => whose === 'other');
  if (other !== undefined) return other.host;
  const [first, ...rest] = named.filter(({ whose }) => whose === 'first');
  if (first === undefined) return null;
  // Before a first order nothing proves whose an uninstalled app was but the name that a person gave.
  const isProven = delivery.normalized.kind !== 'closed' || first.host === hostOf(storefront, connection.name);
  return isProven && rest.every(({ host }) => host === first.host) ? null : first.host;
}

function namesIn({ store, normalized }: AcceptedDelivery): string[] {
  const inBody = normalized.kind === 'closed' || normalized.kind === 'privacy' ? normalized.store : undefined;
  return [store, inBody].filter((name) => typeof name === 'string');
}
