import { Command } from 'commander';
import type { Outcome } from '../../operations/orders/settle-order.ts';
import { settleOrder } from '../../operations/orders/settle-order.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { day, month } from '../input/arguments.ts';
import { Mistyped } from '../input/mistyped.ts';
import { givenWhy, ORDER } from '../input/order-input.ts';
import { choosesMany, type ManyOptions, settleMany } from '../settle-many.ts';
import { withWake } from '../with-queues.ts';
import { type CliWords, wordsFor } from '../words/words.ts';

type Options = ManyOptions & { recorded?: string; notASale?: true; elsewhere?: true; why?: string };
type Said = { named: string; outcome: Outcome; why: string };

/** `orderbridge settle` */
export function settleCommand(context: CliContext): Command {
  return new Command('settle')
    .description(
      'Says what became of a parked order, so that it no longer waits for a person: it was recorded by hand, it is no sale, or it is recorded by ' +
        'other software for good. Who said so, and why, is kept. Anything new of the order asks a person again; a record that was made by hand ' +
        'counts as orderbridge’s own: a later refund deletes or replaces it. `orderbridge release ORDER` takes the word back. ' +
        'With --code it is said of all orders that are parked with one code and have no record; it first says how many there are, and asks.',
    )
    .argument('[order]', ORDER)
    .option('--recorded <id>', 'it is recorded, with this id at the compliance service')
    .option('--not-a-sale', 'it is no sale of this shop: nothing is recorded')
    .option('--elsewhere', 'it is recorded by other means, and orderbridge has nothing to do with that record')
    .option('--why <words>', 'why, in words that somebody else understands later; needed')
    .option('--code <code>', 'every order that is parked with this code (`orderbridge parked` shows them), if none of it is recorded')
    .option('--connection <connection>', 'with --code: those of one store, by the id or name of its connection')
    .option('--month <month>', 'with --code: those paid, or else placed, in this month, such as 2026-10', month)
    .option('--from <day>', 'with --code: those paid on this day or later, such as 2026-10-01', day)
    .option('--to <day>', 'with --code: those paid on this day or earlier', day)
    .option('--dry-run', 'with --code: only say how many there are')
    .option('--yes', 'with --code: don’t ask')
    .action((named: string | undefined, options: Options) => settleOneOrMany(context, named, options));
}

function settleOneOrMany(context: CliContext, named: string | undefined, options: Options): Promise<void> {
  const outcome = outcomeOf(options);
  const why = givenWhy(options.why);
  if (named !== undefined && !choosesMany(options)) return settle(context, { named, outcome, why });
  if (named !== undefined || !choosesMany(options)) throw new Mistyped('say what to settle: one ORDER, or --code CODE');
  if (outcome.how === 'recorded') throw new Mistyped('--recorded is the record of one ORDER; of many, say --not-a-sale or --elsewhere');
  return settleMany(context, options, { how: outcome.how, why });
}

function outcomeOf({ recorded, notASale, elsewhere }: Options): Outcome {
  if ([recorded, notASale, elsewhere].filter((option) => option !== undefined).length !== 1)
    throw new Mistyped('say what became of it: --recorded ID, --not-a-sale, or --elsewhere');
  if (recorded === undefined) return { how: notASale ? 'not-a-sale' : 'elsewhere' };
  if (recorded.trim() === '') throw new Mistyped('--recorded is empty; give the id that the compliance service shows');
  return { how: 'recorded', recorded: recorded.trim() };
}

async function settle(context: CliContext, said: Said): Promise<void> {
  const { isRead } = await withWake(context, async (core, wake) => {
    const { openRecordAccess } = await import('../../app/record-access.ts');
    await using access = await openRecordAccess(core);
    return await settleOrder({ ...access, pool: core.pool, connections: core.connections, wake, now: Date.now }, { ...said, by: cliActor() });
  });
  const { order } = wordsFor(context);
  if (isRead === false) note(context, order.wordIsTaken);
  printLines(context, [order.settled(said.named, words(said.outcome, order))]);
}

function words(outcome: Outcome, { settledAs }: CliWords['order']): string {
  return outcome.how === 'recorded' ? settledAs.recorded(outcome.recorded) : settledAs[outcome.how];
}
