import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/drain.ts';
import { seconds } from '../input/arguments.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/drain.ts');

/** `orderbridge drain` */
export function drainCommand(context: CliContext): Command {
  return new Command('drain')
    .description(
      'Waits until no work is left: no order whose record is behind its facts (orders in review and unconfirmed ones aside), no webhook or submission that waits, ' +
        'runs or is due. Throttled and retried work counts as left. Then prints how many orders are in each state. ' +
        'Without a running server on this DATA_DIR it does the work itself.',
    )
    .option('--timeout <seconds>', 'how long to wait; then the remaining work is printed, with exit code 1', seconds, 60)
    .option('--json', 'print JSON: drained, states, and the work that is left')
    .action((options: Options) => withCore(context, async (core) => (await actions()).drain(context, core, options)));
}
