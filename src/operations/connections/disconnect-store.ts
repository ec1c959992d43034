import type { Connection } from '../../bridge/connections/connection.ts';
import { type FindConnection, knownConnection } from './known-connection.ts';

type Deps = { connections: FindConnection & { close(id: string): Promise<Connection | null> } };

/** Takes no more webhooks of a connection. What was accepted is still submitted, what is recorded stays. `since`: it was disconnected before. */
export async function disconnectStore({ connections }: Deps, id: string): Promise<{ since: string | null }> {
  const { closedAt } = await knownConnection(connections, id);
  if (closedAt === null) await connections.close(id);
  return { since: closedAt };
}
