import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/fetch.ts');

/** `orderbridge fetch` */
export function fetchCommand(context: CliContext): Command {
  return new Command('fetch')
    .description(
      'Asks a store for one order that no webhook told of, and takes in what it says, as the webhook would have: by the order’s id in the store’s ' +
        'platform, or by its number if it changed in the last 31 days. Needs the keys of the store’s API (`orderbridge reconnect`).',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .argument('<order>', 'the order: its id in the store’s platform, or its number (a shell needs quotes around #)')
    .action((connection: string, order: string) => withCore(context, async (core) => (await actions()).fetchOne(context, core, { connection, said: order })));
}
