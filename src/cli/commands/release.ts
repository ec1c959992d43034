import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/release.ts';
import { seconds } from '../input/arguments.ts';
import { ALL_AT_ONCE, WAIT } from '../input/one-first-flags.ts';
import { ORDER } from '../input/order-input.ts';

const actions = () => import('../actions/release.ts');

/** `orderbridge release` */
export function releaseCommand(context: CliContext): Command {
  return new Command('release')
    .description(
      'Decides orders in review again, after their cause was put right: one order, or all that need review for one reason. ' +
        'Of more than 20, one of each store goes first, and the rest follow once it is recorded; if it is not, two more are tried, then the rest stay in review. ' +
        'Of an order that came under the id of another one (order.other), --other or --same says whether it is a sale of its own. ' +
        'Of a cancelled one whose refund was not seen (removal.unproven), --keep or --remove decides this one; anything new of it undoes that. ' +
        'Of an order that was settled, kept or removed, it takes that word back.',
    )
    .argument('[order]', ORDER)
    .option('--code <code>', 'every order that needs review with this code (`orderbridge review` shows them)')
    .option('--connection <connection>', 'with --code: those of one store, by the id or name of its connection')
    .option(...ALL_AT_ONCE)
    .option(...WAIT, seconds)
    .option('--other', 'it is a sale of its own: ID~2, here and at the compliance service; also for an order in review as compliance.conflict')
    .option('--same', 'it is the same sale as the first order of its id, whose record is made equal to it')
    .option('--keep', 'it is still a sale (removal.unproven): it is recorded as far as no refund is known')
    .option('--remove', 'it is no sale: its record is deleted, as if all of it were refunded; also for other orders in review that have a record')
    .option('--why <words>', 'why you decide so; needed with --keep and --remove')
    .action(async (named: string | undefined, options: Options) => (await actions()).release(context, named, options));
}
