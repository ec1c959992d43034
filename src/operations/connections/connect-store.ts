import type { Connection } from '../../bridge/connections/connection.ts';
import type { NewConnection } from '../../bridge/ledger/connection-store.ts';
import type { Credentials } from '../../bridge/ledger/destination-store.ts';
import type { ComplianceAccess } from '../compliance-access.ts';
import { Refusal } from '../refusal.ts';

export type ConnectDeps = {
  connections: { create(input: NewConnection): Promise<{ connection: Connection } | { taken: string }> };
  compliance: Pick<ComplianceAccess, 'destination'>;
};

/** `credentials` null: the configured ones. */
export type ConnectRequest = Omit<NewConnection, 'destinationId'> & { credentials: Credentials | null };

/** Connects a store to a shop of the compliance service, which has one live connection at most. */
export async function connectStore({ connections, compliance }: ConnectDeps, { credentials, ...input }: ConnectRequest): Promise<Connection> {
  const created = await connections.create({ ...input, destinationId: await compliance.destination(credentials) });
  if ('connection' in created) return created.connection;
  const { taken } = created;
  throw new Refusal('conflict', `the shop ${input.shopId} is connected already, as ${taken}`, {
    advice: `\`orderbridge disconnect ${taken}\` first, or connect another shop`,
  });
}
