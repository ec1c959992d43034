import { type Core, openCore } from '../app/core.ts';
import { otherSettings } from '../app/given-settings.ts';
import { findServers, type RunningServer } from '../app/running-server.ts';
import type { Config } from '../config/config.ts';
import { createLog, type Log } from '../platform/log.ts';
import type { CliContext } from '../platform/terminal/context.ts';
import { note } from '../platform/terminal/print.ts';
import { serverConfig } from './server-config.ts';

/** Opens the ledger for a command: beside a running server or alone. Disposing leaves the database as it was found. `connections`: to PostgreSQL, at most. */
export async function openBeside(context: CliContext, connections = Number.POSITIVE_INFINITY): Promise<Core> {
  const own = serverConfig(context);
  const servers = await findServers(own.dataDir);
  // The address that stores reach is one, no matter who prints it.
  const publicUrl = own.publicUrl ?? servers.find((server) => server.publicUrl != null)?.publicUrl ?? null;
  const config = { ...own, publicUrl, databaseConnections: Math.min(own.databaseConnections, connections) };
  const core = await openCore(config, commandLog(context, config));
  for (const remark of remarksOn(core, servers)) note(context, remark);
  return core;
}

function remarksOn(core: Core, servers: readonly RunningServer[]): string[] {
  const { note: ofKey, problem } = core.keys;
  const others = new Set(servers.flatMap((server) => otherSettings(core, server)));
  return [
    ...(ofKey === null ? [] : [ofKey]),
    ...(problem === null ? [] : [`Warning: ${problem}`]),
    ...(others.size === 0 ? [] : [`Warning: this shell’s settings differ from the server’s (${[...others].join(', ')}). Put them in .env.`]),
  ];
}

// A command prints its errors itself; it logs only if LOG_LEVEL is set.
function commandLog({ env, stderr }: CliContext, { logLevel }: Config): Log {
  return createLog({ level: env['LOG_LEVEL'] ? logLevel : 'silent', name: 'orderbridge-cli', destination: stderr });
}
