import type { Connection } from '../../bridge/connections/connection.ts';
import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';
import type { Wake } from '../../bridge/delivery/wake.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type DecidedAgain, decideAgain } from './decide-again.ts';
import { type FindConnection, knownConnection } from './known-connection.ts';

type Deps = {
  pool: Pool;
  connections: FindConnection & { changeSettings(id: string, settings: SettingsInput): Promise<Connection | null> };
  wake: Wake;
};

/** Replaces a connection's settings and decides again about the orders that they may cure. */
export async function changeSettings({ pool, connections, wake }: Deps, { id, settings }: { id: string; settings: SettingsInput }): Promise<DecidedAgain> {
  await knownConnection(connections, id);
  await connections.changeSettings(id, settings);
  return decideAgain({ pool, wake }, { id, settings, span: true, storeApi: false });
}
