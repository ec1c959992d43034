import { Command, Option } from 'commander';
import { orderStates } from '../../bridge/order/order-state.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/orders.ts';
import { wholeNumber } from '../input/arguments.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/orders.ts');

/** `orderbridge orders` */
export function ordersCommand(context: CliContext): Command {
  const states = Object.entries(orderStates).map(([state, means]) => `  ${state.padEnd(12)} ${means}`);
  return new Command('orders')
    .description('Lists orders, the newest first.')
    .addOption(new Option('--state <state>', 'only orders in this state').choices(Object.keys(orderStates)))
    .option('--connection <connection>', 'only orders that came through this connection: its name, or the beginning of its id')
    .option('--number <number>', 'only orders of this name: number, platform order id, document number or compliance id')
    .option('--limit <n>', 'how many at most', wholeNumber, 1_000)
    .option('--json', 'print JSON: an array of orders')
    .addHelpText('after', `\nStates:\n${states.join('\n')}`)
    .action((options: Options) => withCore(context, async (core) => (await actions()).orders(context, core, options)));
}
