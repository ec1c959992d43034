import type { Connection } from '../../bridge/connections/connection.ts';
import type { Said } from '../../platform/trail/trail.ts';
import { type FindConnection, knownConnection } from './known-connection.ts';

type Deps = { connections: FindConnection & { close(id: string, said: Said): Promise<Connection | null> } };

/** Stops taking webhooks of a connection. Accepted orders are still submitted, records stay. `since`: when it was disconnected before. */
export async function disconnectStore({ connections }: Deps, { id: named, ...said }: Said & { id: string }): Promise<{ since: string | null }> {
  const { id, closedAt } = await knownConnection(connections, named);
  if (closedAt === null) await connections.close(id, said);
  return { since: closedAt };
}
