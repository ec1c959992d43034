import { Command } from 'commander';
import type { Outcome } from '../../operations/orders/settle-order.ts';
import { settleOrder } from '../../operations/orders/settle-order.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { note, printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { givenWhy, ORDER } from '../input/order-input.ts';
import { withWake } from '../with-queues.ts';

type Options = { recorded?: string; notASale?: true; elsewhere?: true; why?: string };
type Said = { named: string; outcome: Outcome; why: string };

/** `orderbridge settle` */
export function settleCommand(context: CliContext): Command {
  return new Command('settle')
    .description(
      'Says what became of a parked order, so that it no longer waits for a person: it was recorded by hand, it is no sale, or it is recorded by ' +
        'other software for good. Who said so, and why, is kept. Anything new of the order asks a person again; a record that was made by hand ' +
        'counts as orderbridge’s own: a later refund deletes or replaces it. `orderbridge release ORDER` takes the word back.',
    )
    .argument('<order>', ORDER)
    .option('--recorded <id>', 'it is recorded, with this id at the compliance service')
    .option('--not-a-sale', 'it is no sale of this shop: nothing is recorded')
    .option('--elsewhere', 'it is recorded by other means, and orderbridge has nothing to do with that record')
    .option('--why <words>', 'why, in words that somebody else understands later; needed')
    .action((named: string, options: Options) => settle(context, { named, outcome: outcomeOf(options), why: givenWhy(options.why) }));
}

function outcomeOf({ recorded, notASale, elsewhere }: Options): Outcome {
  if ([recorded, notASale, elsewhere].filter((option) => option !== undefined).length !== 1)
    throw new CliError('say what became of it: --recorded ID, --not-a-sale, or --elsewhere');
  if (recorded === undefined) return { how: notASale ? 'not-a-sale' : 'elsewhere' };
  if (recorded.trim() === '') throw new CliError('--recorded is empty; give the id that the compliance service shows');
  return { how: 'recorded', recorded: recorded.trim() };
}

async function settle(context: CliContext, said: Said): Promise<void> {
  const { isRead, unwoken } = await withWake(context, async (core, wake) => {
    const { openRecordAccess } = await import('../../app/record-access.ts');
    await using access = await openRecordAccess(core);
    return await settleOrder({ ...access, pool: core.pool, connections: core.connections, wake, now: Date.now }, { ...said, by: cliActor() });
  });
  if (unwoken !== null) note(context, unwoken);
  if (isRead === false) note(context, 'The compliance service does not show its records, so your word is taken for it.');
  printLines(context, [`The order ${said.named} is settled: ${words(said.outcome)}`]);
}

function words(outcome: Outcome): string {
  switch (outcome.how) {
    case 'recorded':
      return `recorded as ${outcome.recorded}, which counts as orderbridge’s own: a later refund deletes or replaces it.`;
    case 'not-a-sale':
      return 'it is no sale. If anything new comes of it, it waits for a person again.';
    case 'elsewhere':
      return 'it is recorded elsewhere. If anything new comes of it, it waits for a person again.';
  }
}
