import type { Core } from '../../app/core.ts';
import { watchDeps } from '../../app/watchdog.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { disconnectStore } from '../../operations/connections/disconnect-store.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';

export async function disconnect(context: CliContext, core: Core, { id, why }: { id: string; why?: string }): Promise<void> {
  const deps = { pool: core.pool, connections: core.connections, stores: { watch: watchDeps(core, storefronts), storefronts } };
  const { since, remains } = await disconnectStore(deps, { id, by: cliActor(), why });
  printLines(context, [
    since === null ? `${id} is disconnected; orders accepted before are still submitted.` : `${id} was disconnected already, at ${since}.`,
    ...remains.map((one) => one.en),
  ]);
}
