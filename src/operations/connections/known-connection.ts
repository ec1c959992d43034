import type { Connection } from '../../bridge/connections/connection.ts';
import { Refusal } from '../refusal.ts';

export type FindConnection = { find(id: string): Promise<Connection | null> };

/** The connection of this id; refuses if there is none. */
export async function knownConnection(connections: FindConnection, id: string): Promise<Connection> {
  const connection = await connections.find(id);
  if (connection === null) throw new Refusal('missing', `no connection has the id ${id}`, { advice: '`orderbridge connections` lists them' });
  return connection;
}
