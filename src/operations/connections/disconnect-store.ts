import type { Connection } from '../../bridge/connections/connection.ts';
import { type FindConnection, knownConnection } from './known-connection.ts';

type Deps = { connections: FindConnection & { close(id: string): Promise<Connection | null> } };

/** Stops taking webhooks of a connection. Accepted orders are still submitted, records stay. `since`: when it was disconnected before. */
export async function disconnectStore({ connections }: Deps, id: string): Promise<{ since: string | null }> {
  const { closedAt } = await knownConnection(connections, id);
  if (closedAt === null) await connections.close(id);
  return { since: closedAt };
}
