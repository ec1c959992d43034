import type { Storefront } from '../storefronts/contract.ts';
import type { Connection } from './connection.ts';
import { knownHosts } from './whose-store.ts';

/**
 * True if the host is the store of another live connection whose webhooks have the same secret, that of an app: no signature tells which of
 * the two a delivery is of. `namesakes`: connections that may have the host.
 */
export function isElsewhere(storefront: Storefront, { connection, host }: { connection: Connection; host: string }, namesakes: readonly Connection[]): boolean {
  const secrets = new Set(connection.secrets.map(({ secret }) => secret));
  return namesakes.some(
    (one) =>
      one.id !== connection.id && one.closedAt === null && one.secrets.some(({ secret }) => secrets.has(secret)) && knownHosts(storefront, one).includes(host),
  );
}
