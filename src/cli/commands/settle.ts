import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/settle.ts';
import { day, month } from '../input/arguments.ts';
import { ORDER } from '../input/order-input.ts';

const actions = () => import('../actions/settle.ts');

/** `orderbridge settle` */
export function settleCommand(context: CliContext): Command {
  return new Command('settle')
    .description(
      'Says what became of an order in review, so that it no longer waits for a person: it was recorded by hand, it is no sale, or it is recorded by ' +
        'other software for good. Who said so, and why, is kept. Anything new of the order asks a person again; a record that was made by hand ' +
        'counts as orderbridge’s own: a later refund deletes or replaces it. `orderbridge release ORDER` takes the word back. ' +
        'With --code it is said of all orders that need review with one code and have no record; it first says how many there are, and asks.',
    )
    .argument('[order]', ORDER)
    .option('--recorded <id>', 'it is recorded, with this id at the compliance service')
    .option('--not-a-sale', 'it is no sale of this shop: nothing is recorded')
    .option('--elsewhere', 'it is recorded by other means, and orderbridge has nothing to do with that record')
    .option('--why <words>', 'why, in words that somebody else understands later; needed')
    .option('--code <code>', 'every order that needs review with this code (`orderbridge review` shows them), if none of it is recorded')
    .option('--connection <connection>', 'with --code: those of one store, by the id or name of its connection')
    .option('--month <month>', 'with --code: those paid, or else placed, in this month, such as 2026-10', month)
    .option('--from <day>', 'with --code: those paid on this day or later, such as 2026-10-01', day)
    .option('--to <day>', 'with --code: those paid on this day or earlier', day)
    .option('--dry-run', 'with --code: only say how many there are')
    .option('--yes', 'with --code: don’t ask')
    .action(async (named: string | undefined, options: Options) => (await actions()).settleOneOrMany(context, named, options));
}
