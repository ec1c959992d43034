import type { Connection } from '../../bridge/connections/connection.ts';
import { type FindConnection, knownConnection } from './known-connection.ts';

type Deps = { connections: FindConnection & { close(id: string): Promise<Connection | null> } };

/** Stops taking webhooks of a connection. Accepted orders are still submitted, records stay. `since`: when it was disconnected before. */
export async function disconnectStore({ connections }: Deps, named: string): Promise<{ since: string | null }> {
  const { id, closedAt } = await knownConnection(connections, named);
  if (closedAt === null) await connections.close(id);
  return { since: closedAt };
}
