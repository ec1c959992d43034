import { Command } from 'commander';
import { planAgain } from '../../operations/orders/plan-again.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { confirm } from '../input/confirm.ts';
import { givenWhy, ORDER } from '../input/order-input.ts';
import { withWake } from '../with-queues.ts';
import { wordsFor } from '../words/words.ts';

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
    .action((named: string, { why, yes }: Options) => run(context, { named, why: givenWhy(why), yes: yes === true }));
}

async function run(context: CliContext, { named, why, yes }: { named: string; why: string; yes: boolean }): Promise<void> {
  const { planAgain: say } = wordsFor(context).work;
  if (!yes) await confirm(context, say.ask(named));
  const { id } = await withWake(context, ({ pool, connections, config }, wake) =>
    planAgain({ pool, connections, wake, hasService: config.compliance.kind === 'embedded' }, { named, by: cliActor(), why }),
  );
  printLines(context, [say.done(id)]);
}
