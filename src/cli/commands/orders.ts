import { Command, Option } from 'commander';
import { orderStates } from '../../bridge/order/decisions/order-state.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options as BackfillOptions } from '../actions/backfill.ts';
import type { ConfirmOptions, DeleteRecordOptions, ResolveOptions } from '../actions/decide.ts';
import type { ShowOptions } from '../actions/deliveries.ts';
import type { Options as OrderOptions } from '../actions/order.ts';
import type { Options as OrdersOptions } from '../actions/orders.ts';
import type { Options as ReleaseOptions } from '../actions/release.ts';
import { day, dayOrInstant, month, seconds, wholeNumber } from '../input/arguments.ts';
import { ALL_AT_ONCE, givenWhy, ORDER, WAIT, whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';

const ordersActions = () => import('../actions/orders.ts');

/** `orderbridge orders` */
export function ordersCommand(context: CliContext): Command {
  const states = Object.entries(orderStates).map(([state, { means }]) => `  ${state.padEnd(12)} ${means.en}`);
  return new Command('orders')
    .description('Lists orders, the newest first.')
    .addOption(new Option('--state <state>', 'only orders in this state').choices(Object.keys(orderStates)))
    .option('--connection <connection>', 'only orders that came through this connection: its name, or the beginning of its id')
    .option('--number <number>', 'only orders of this name: number, platform order id, document number or compliance id')
    .option('--limit <n>', 'how many at most', wholeNumber, 1_000)
    .option('--json', 'print JSON: an array of orders')
    .addHelpText('after', `\nStates:\n${states.join('\n')}`)
    .action((options: OrdersOptions) => withCore(context, async (core) => (await ordersActions()).orders(context, core, options)));
}

const orderActions = () => import('../actions/order.ts');

/** `orderbridge order` */
export function orderCommand(context: CliContext): Command {
  return new Command('order')
    .usage('[options] <order>\n       orderbridge order [options] <connection> <store-order>')
    .description(
      'Shows everything about one order: its state and why, the facts, the desired record, the current record, ' +
        'every webhook about it, and every submission with outcome and time. The buyer is printed only with --json, and that you looked goes into the trail.',
    )
    .argument('<order>', `${ORDER}; before a second argument, the id of its connection`)
    .argument('[store-order]', 'the order’s id in the store’s platform, for a name that fits several orders')
    .option('--json', 'print JSON: state, complianceId, record (the current CreateOrderDto, or null), review, deliveries, submissions, and more')
    .action(async (first: string, second: string | undefined, options: OrderOptions) => (await orderActions()).order(context, { first, second }, options));
}

const releaseActions = () => import('../actions/release.ts');

/** `orderbridge release` */
export function releaseCommand(context: CliContext): Command {
  return new Command('release')
    .description(
      'Decides orders in review again, after their cause was put right: one order, or all that need review for one reason. ' +
        'Of more than 20, one of each store goes first, and the rest follow once it is recorded; if it is not, two more are tried, then the rest stay in review. ' +
        'Of an order that came under the id of another one (order.other), --other or --same says whether it is a sale of its own. ' +
        'Of a cancelled one whose refund was not seen (removal.unproven), --keep or --remove decides this one; anything new of it undoes that. ' +
        'Of an order that was resolved, kept or removed, it undoes that.',
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
    .action(async (named: string | undefined, options: ReleaseOptions) => (await releaseActions()).release(context, named, options));
}

const decideActions = () => import('../actions/decide.ts');

/** `orderbridge resolve` */
export function resolveCommand(context: CliContext): Command {
  return new Command('resolve')
    .description(
      'Says what became of an order in review, so that it no longer waits for a person: it was recorded by hand, it is no sale, or it is recorded by ' +
        'other software for good. Who said so, and why, is kept. Anything new of the order asks a person again; a record that was made by hand ' +
        'counts as orderbridge’s own: a later refund deletes or replaces it. `orderbridge release ORDER` undoes the resolution. ' +
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
    .action(async (named: string | undefined, options: ResolveOptions) => (await decideActions()).resolveOneOrMany(context, named, options));
}

type ReevaluateOptions = { why?: string; yes?: true };

/** `orderbridge reevaluate` */
export function reevaluateCommand(context: CliContext): Command {
  return new Command('reevaluate')
    .description(
      'Re-evaluates a recorded order by today’s settings, where it was recorded with wrong ones: deletes its record and creates another one. Other recorded ' +
        'orders keep the mapping that they were recorded with. Only while the file of its month is not made.',
    )
    .argument('<order>', ORDER)
    .option('--why <words>', 'why, in words that somebody else understands later; needed')
    .option('--yes', 'don’t ask')
    .action(async (named: string, { why, yes }: ReevaluateOptions) =>
      (await decideActions()).reevaluate(context, { named, why: givenWhy(why), yes: yes === true }),
    );
}

/** `orderbridge confirm` */
export function confirmCommand(context: CliContext): Command {
  return new Command('confirm')
    .description(
      'For an unconfirmed order: a create or delete was sent and its reply was lost, and its repeat was refused or is not made, or a delete is answered with ' +
        'a 404 that may not be the service’s own, so it is not known whether a record exists. Look at the compliance service, say what you found, and the order is decided again from there.',
    )
    .argument('<order>', ORDER)
    .option('--recorded <id>', 'a record exists, with this id at the compliance service')
    .option('--not-recorded', 'no record exists')
    .option('--look', 'only look for it at the service, where that lists its records; nothing is changed')
    .option('--why <words>', 'how you know, for the trail')
    .action(async (named: string, options: ConfirmOptions) => (await decideActions()).confirm(context, named, options));
}

/** `orderbridge delete-record` */
export function deleteRecordCommand(context: CliContext): Command {
  return new Command('delete-record')
    .description(
      'For an order that is recorded twice (`record.doubled`): deletes one of its records at the compliance service, and decides the order again from the ' +
        'other one. Without a record it lists them.',
    )
    .argument('<order>', ORDER)
    .argument('[record]', 'id of the record that is to be deleted')
    .addOption(whyOption())
    .option('--yes', 'don’t ask')
    .action(async (named: string, record: string | undefined, options: DeleteRecordOptions) =>
      (await decideActions()).deleteRecord(context, { named, record, ...options }),
    );
}

const deliveriesActions = () => import('../actions/deliveries.ts');

const ID = 'id of the delivery (`orderbridge review`, `orderbridge order` and `orderbridge deliveries --json` show it)';

/** `orderbridge delivery` */
export function deliveryCommand(context: CliContext): Command {
  const delivery = new Command('delivery').description('One kept webhook: what it was, its body, and whether it still waits for a person.');
  delivery
    .command('show')
    .argument('<id>', ID)
    .summary('show a kept webhook')
    .description(
      'Shows a kept webhook: its store, topic, time, what became of it and why. Its body is printed only with --body: it holds the buyer’s name and address, and that you looked goes into the trail.',
    )
    .option('--body', 'print the body as the store sent it, and nothing else; it holds personal data of the buyer')
    .option('--json', 'print JSON, without the body')
    .action((id: string, options: ShowOptions) => withCore(context, async (core) => (await deliveriesActions()).show(context, core, { id, ...options })));
  delivery
    .command('dismiss')
    .argument('<id>', ID)
    .summary('say that a webhook that can’t be read needs nothing')
    .description(
      'Takes a webhook in review off the list of what waits for a person: it is of no sale, or its order was recorded by hand. Who said so, and why, is kept.',
    )
    .option('--why <words>', 'why, in words that somebody else understands later; needed')
    .action(async (id: string, { why }: { why?: string }) => (await deliveriesActions()).dismiss(context, { id, why: givenWhy(why) }));
  return delivery;
}

/** `orderbridge replay` */
export function replayCommand(context: CliContext): Command {
  return new Command('replay')
    .description(
      'Reads a kept webhook again as if it came now, but with its own time of arrival, so that it does not overtake later ones. ' +
        'For webhooks that could not be read, after an upgrade; replaying any other changes nothing that is right.',
    )
    .argument('<delivery>', 'id of the delivery (`orderbridge review` and `orderbridge order` show it)')
    .action((id: string) => withCore(context, async (core) => (await deliveriesActions()).replay(context, core, id)));
}

const fetchActions = () => import('../actions/fetch.ts');

/** `orderbridge fetch` */
export function fetchCommand(context: CliContext): Command {
  return new Command('fetch')
    .description(
      'Asks a store for one order that no webhook told of, and takes in what it says, as the webhook would have: by the order’s id in the store’s ' +
        'platform, or by its number if it changed in the last 31 days. Needs the keys of the store’s API (`orderbridge reconnect`).',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .argument('<order>', 'the order: its id in the store’s platform, or its number (a shell needs quotes around #)')
    .action((connection: string, order: string) =>
      withCore(context, async (core) => (await fetchActions()).fetchOne(context, core, { connection, said: order })),
    );
}

const backfillActions = () => import('../actions/backfill.ts');

/** `orderbridge backfill` */
export function backfillCommand(context: CliContext): Command {
  return new Command('backfill')
    .description(
      'Takes in paid orders from before a store was connected, or from a time in which it was disconnected, by reading them from the store. It first says ' +
        'how many there are, what they come to and in which month’s file they would stand, and asks. What was broken off goes on where it was, if the same ' +
        'command is given again. Orders that are known already stay as they are. `recordFrom` moves to --from only if the orders taken in reach up to it.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .requiredOption('--from <date>', 'orders sold from this day on (in Bulgaria), such as 2026-10-01, or from a moment with its offset', dayOrInstant)
    .option(
      '--to <date>',
      'up to and with this day, or before a moment; if left out: up to the connection’s `recordFrom`, or, if --from is later, to today',
      dayOrInstant,
    )
    .option('--dry-run', 'only say what would be taken in')
    .option('--yes', 'don’t ask: these orders were not recorded by other software')
    .action((id: string, options: BackfillOptions) => withCore(context, async (core) => (await backfillActions()).run(context, core, { id, ...options })));
}

/** `orderbridge exports` */
export function exportsCommand(context: CliContext): Command {
  return new Command('exports')
    .description(
      'Shows what is stored about customers who asked their shop for it, where its platform passes such requests on. ' +
        'The merchant must hand it to the customer; the data itself is in the JSON form, and that you looked goes into the trail.',
    )
    .option('--json', 'print JSON: an array of exports with their data')
    .action((options: { json?: true }) => withCore(context, async (core) => (await orderActions()).showExports(context, core, options)));
}
