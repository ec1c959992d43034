import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import { givenWhy, ORDER } from '../input/order-input.ts';

const actions = () => import('../actions/plan-again.ts');

type Options = { why?: string; yes?: true };

/** `orderbridge plan-again` */
export function planAgainCommand(context: CliContext): Command {
  return new Command('plan-again')
    .description(
      'Records an order anew by today’s settings, where it was recorded with wrong ones: deletes its record and creates another one. Other recorded ' +
        'orders keep the mapping that they were recorded with. Only while the file of its month is not made.',
    )
    .argument('<order>', ORDER)
    .option('--why <words>', 'why, in words that somebody else understands later; needed')
    .option('--yes', 'don’t ask')
    .action(async (named: string, { why, yes }: Options) => (await actions()).run(context, { named, why: givenWhy(why), yes: yes === true }));
}
