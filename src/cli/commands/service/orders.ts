import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { CreateOptions, DeleteOptions, ListOptions } from '../../actions/service/orders.ts';
import { month, wholeNumber } from '../../input/arguments.ts';
import { withService } from '../../with-core.ts';

const ordersActions = () => import('../../actions/service/orders.ts');

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
    .action((options: ListOptions) => withService(context, async ({ core }) => (await ordersActions()).list(context, core, options)));
  orders
    .command('show')
    .argument('<id>', 'id of the order at the compliance service')
    .summary('show an order')
    .description(
      'Shows an order with its sums, its document and the month whose audit file lists it. The buyer is shown only in JSON, and that you looked goes into the trail.',
    )
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: true }) =>
      withService(context, async ({ core }) => (await ordersActions()).show(context, core, { id, ...options })),
    );
  orders.addCommand(createOrderCommand(context));
  orders.addCommand(deleteOrderCommand(context));
  return orders;
}

/** `orderbridge service orders create` */
function createOrderCommand(context: CliContext): Command {
  return new Command('create')
    .summary('record an order by hand')
    .description(
      'Records an order by hand, for one that orderbridge can’t decide. Run again with the same order, it finds the recorded one. ' +
        'Then `orderbridge resolve ORDER --recorded ID` says which order it is of. The fields are those of CreateOrderDto ' +
        '(docs/compliance-api.md), amounts in decimals.',
    )
    .requiredOption('--file <file>', 'the order: a JSON file')
    .option('--shop <id>', 'id of the shop, if the order names none')
    .option('--why <words>', 'why, for the trail')
    .option('--json', 'print JSON: {id, documentNumber, isNew}')
    .action((options: CreateOptions) => withService(context, async (opened) => (await ordersActions()).create(context, opened, options)));
}

/** `orderbridge service orders delete` */
function deleteOrderCommand(context: CliContext): Command {
  return new Command('delete')
    .argument('<id>', 'id of the order at the compliance service')
    .summary('delete a recorded order')
    .description(
      'Deletes a recorded order, as the API does: its number is voided, or in a closed month it becomes a return. ' +
        'orderbridge does not notice that a record of its own is gone; what follows then is said before. Asks first.',
    )
    .option('--why <words>', 'why, for the trail')
    .option('--yes', 'do not ask')
    .action((id: string, options: DeleteOptions) =>
      withService(context, async (opened) => (await ordersActions()).remove(context, opened, { id, ...options })),
    );
}
