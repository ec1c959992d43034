import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { ListOptions } from '../../actions/service/orders.ts';
import { month, wholeNumber } from '../../input/arguments.ts';
import { withService } from '../../with-core.ts';
import { createOrderCommand, deleteOrderCommand } from './orders-by-hand.ts';

const actions = () => import('../../actions/service/orders.ts');

/** `orderbridge service orders` */
export function recordedOrdersCommand(context: CliContext): Command {
  const orders = new Command('orders')
    .summary('list, show, create and delete recorded orders')
    .description('The orders that are recorded in our own compliance service.');
  orders
    .command('list')
    .summary('list the orders of a shop')
    .description('Lists the orders that are recorded in a shop, oldest first.')
    .requiredOption('--shop <id>', 'id of the shop')
    .option('--month <month>', 'only those that the audit file of this month lists, such as 2026-10', month)
    .option('--limit <n>', 'how many at most', wholeNumber, 1_000)
    .option('--json', 'print JSON: an array of orders, with their buyers; the look goes into the trail')
    .action((options: ListOptions) => withService(context, async ({ core }) => (await actions()).list(context, core, options)));
  orders
    .command('show')
    .argument('<id>', 'id of the order at the compliance service')
    .summary('show an order')
    .description(
      'Shows an order with its sums, its document and the month whose audit file lists it. The buyer is shown in JSON alone, and that you looked goes into the trail.',
    )
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: true }) => withService(context, async ({ core }) => (await actions()).show(context, core, { id, ...options })));
  orders.addCommand(createOrderCommand(context));
  orders.addCommand(deleteOrderCommand(context));
  return orders;
}
