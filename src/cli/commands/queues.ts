import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/queues.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/queues.ts');

/** `orderbridge queues` */
export function queuesCommand(context: CliContext): Command {
  return new Command('queues')
    .description(
      'Lists the queues with their jobs, and whether one is paused: nothing is taken from it then, though webhooks are still accepted. ' +
        'Nothing here pauses a queue; another tool for BullMQ can.',
    )
    .option('--resume <queue>', 'take work from a paused queue again')
    .option('--json', 'print JSON: name, isPaused, jobs by state')
    .action((options: Options) => withCore(context, async (core) => (await actions()).queues(context, core, options)));
}
