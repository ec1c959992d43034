import type { Core } from '../app/core.ts';
import type { Connection } from '../bridge/connections/connection.ts';
import { CliError } from '../platform/terminal/context.ts';

/** The connection of this id; an error in words if there is none. */
export async function knownConnection({ connections }: Pick<Core, 'connections'>, id: string): Promise<Connection> {
  const connection = await connections.find(id);
  if (connection === null) throw new CliError(`no connection has the id ${id}; \`orderbridge connections\` lists them`);
  return connection;
}
