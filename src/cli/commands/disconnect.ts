import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { watchDeps } from '../../app/watchdog.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { disconnectStore } from '../../operations/connections/disconnect-store.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { whyOption } from '../input/why.ts';
import { withCore } from '../with-core.ts';
import { wordsFor } from '../words/words.ts';

/** `orderbridge disconnect` */
export function disconnectCommand(context: CliContext): Command {
  return new Command('disconnect')
    .description(
      'Stops taking webhooks of a connection: they are removed from the store, if its key may do that, and answered 410 from then on, but for privacy requests. ' +
        'What remains in the store is printed, with where to delete it; the same again removes what could not be removed before. Orders accepted before are still submitted, ' +
        'and recorded ones stay recorded. Connecting the same store to the same shop again goes on from there, with the same address; to change keys or settings, `orderbridge reconnect` is enough.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .addOption(whyOption())
    .action((id: string, options: { why?: string }) => withCore(context, (core) => disconnect(context, core, { id, ...options })));
}

async function disconnect(context: CliContext, core: Core, { id, why }: { id: string; why?: string }): Promise<void> {
  const deps = { pool: core.pool, connections: core.connections, stores: { watch: watchDeps(core, storefronts), storefronts } };
  const { since, remains } = await disconnectStore(deps, { id, by: cliActor(), why });
  const { disconnect: say } = wordsFor(context).stores;
  printLines(context, [since === null ? say.done(id) : say.already(id, since), ...remains.map((one) => one[context.lang ?? 'en'])]);
}
