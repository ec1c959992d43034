import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/review.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/review.ts');

/** `orderbridge review` */
export function reviewCommand(context: CliContext): Command {
  return new Command('review')
    .description(
      'Lists everything that waits for a person: orders in review and unconfirmed ones in groups, with the reason, their sum, the month whose file would miss ' +
        'them, and what to do; webhooks that are signed but can’t be read, so that their orders are not known; and hosts whose webhooks are held because ' +
        'they are not the store’s.',
    )
    .option('--all', 'each order by itself')
    .option('--json', 'print JSON: {orders, deliveries, stores}, each order by itself')
    .action((options: Options) => withCore(context, async (core) => (await actions()).review(context, core, options)));
}
