import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/connections.ts');

/** `orderbridge connections` */
export function connectionsCommand(context: CliContext): Command {
  return new Command('connections')
    .description(
      'Lists every connection, live or not, with warnings: a store that delivers signed error bodies, webhooks that name another host, ' +
        'a compliance service that is paused because it is down, throttles, or refuses the key, a store whose API is paused because it hangs, fails or refuses the key, or that could not be read by it for two periods, paid orders of which no webhook told, orders that could not be read whole, orders that have been waiting for 14 days in a status of a plugin, ' +
        'a shop nearly all of whose orders are at 0 % VAT, and a store whose webhooks are refused one after the other, even if it is disconnected.',
    )
    .option('--json', 'print JSON: an array of connections')
    .action((options: { json?: true }) => withCore(context, async (core) => (await actions()).connections(context, core, options)));
}
