import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/resolve.ts';
import { ORDER } from '../input/order-input.ts';

const actions = () => import('../actions/resolve.ts');

/** `orderbridge resolve` */
export function resolveCommand(context: CliContext): Command {
  return new Command('resolve')
    .description(
      'For an unconfirmed order: a create or delete was sent and its reply was lost, and its repeat was refused or is not made, or a delete is answered with ' +
        'a 404 that may not be the service’s own, so it is not known whether a record exists. Look at the compliance service, say what you found, and the order is decided again from there.',
    )
    .argument('<order>', ORDER)
    .option('--recorded <id>', 'a record exists, with this id at the compliance service')
    .option('--not-recorded', 'no record exists')
    .option('--look', 'only look for it at the service, where that lists its records; nothing is changed')
    .option('--why <words>', 'how you know, for the trail')
    .action(async (named: string, options: Options) => (await actions()).resolve(context, named, options));
}
