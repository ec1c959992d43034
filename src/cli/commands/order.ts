import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/order.ts';
import { ORDER } from '../input/order-input.ts';

const actions = () => import('../actions/order.ts');

/** `orderbridge order` */
export function orderCommand(context: CliContext): Command {
  return new Command('order')
    .usage('[options] <order>\n       orderbridge order [options] <connection> <store-order>')
    .description(
      'Shows everything about one order: its state and why, the facts, the desired record, the current record, ' +
        'every webhook about it, and every submission with outcome and time. The buyer is printed with --json alone, and that you looked goes into the trail.',
    )
    .argument('<order>', `${ORDER}; before a second argument, the id of its connection`)
    .argument('[store-order]', 'the order’s id in the store’s platform, for a name that fits several orders')
    .option('--json', 'print JSON: state, complianceId, record (the current CreateOrderDto, or null), review, deliveries, submissions, and more')
    .action(async (first: string, second: string | undefined, options: Options) => (await actions()).order(context, { first, second }, options));
}
