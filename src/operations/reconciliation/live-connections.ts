import type { Connection } from '../../bridge/connections/connection.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';

/** The live connection of this id or name, or all of them. */
export async function liveConnections(connections: FindConnection, id: string | undefined): Promise<Connection[]> {
  if (id === undefined) return (await connections.list()).filter(({ closedAt }) => closedAt === null);
  const connection = await knownConnection(connections, id);
  if (connection.closedAt === null) return [connection];
  throw new Refusal(
    'conflict',
    { en: `${id} is disconnected, so nothing of its store is recorded`, bg: `${id} е изключена и от магазина ѝ не се записва нищо` },
    { advice: { en: 'connect the store again first', bg: 'първо свържете магазина отново' } },
  );
}
