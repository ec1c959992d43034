import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/activity.ts';
import { wholeNumber } from '../input/arguments.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/activity.ts');

/** `orderbridge activity` */
export function activityCommand(context: CliContext): Command {
  return new Command('activity')
    .description(
      'Lists what was done, the newest first: each command that changed something, with who gave it (cli:user@host), what was before and after, and why; ' +
        'and where the program itself sent an order to review, or had it wait for nobody any more (orderbridge). Nothing is ever changed in this list or taken out of it. ' +
        'What was done at our own compliance service is listed without --order and --connection.',
    )
    .option('--order <order>', 'only what was done about this order: its id or number')
    .option('--connection <id>', 'only what was done about this connection and its orders')
    .option('--limit <n>', 'how many at most', wholeNumber, 100)
    .option('--json', 'print JSON: an array of {id, at, trail, who, act, means, bg, connectionId, store, order, subject, before, after, why}')
    .action((options: Options) => withCore(context, async (core) => (await actions()).activity(context, core, options)));
}
