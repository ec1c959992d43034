import { Command } from 'commander';
import type { Core } from '../../../app/core.ts';
import { recordedOrder, recordedOrdersOf, type ShopList, seeBuyersOf } from '../../../operations/service/recorded-orders.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../../platform/terminal/print.ts';
import type { ReadOrder } from '../../../service/reading/read-order-dto.ts';
import { cliActor } from '../../actor.ts';
import { month, wholeNumber } from '../../input/arguments.ts';
import { printTable, type WordedTable } from '../../output/print-table.ts';
import { recordedOrderText } from '../../text/recorded-order-text.ts';
import { withService } from '../../with-core.ts';
import { wordsFor } from '../../words/words.ts';
import { createOrderCommand, deleteOrderCommand } from './orders-by-hand.ts';

type ListOptions = ShopList & { json?: true };

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
    .action((options: ListOptions) => withService(context, ({ core }) => list(context, core, options)));
  orders
    .command('show')
    .argument('<id>', 'id of the order at the compliance service')
    .summary('show an order')
    .description(
      'Shows an order with its sums, its document and the month whose audit file lists it. The buyer is shown in JSON alone, and that you looked goes into the trail.',
    )
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: true }) => withService(context, ({ core }) => show(context, core, { id, ...options })));
  orders.addCommand(createOrderCommand(context));
  orders.addCommand(deleteOrderCommand(context));
  return orders;
}

async function list(context: CliContext, core: Core, { json, ...wanted }: ListOptions): Promise<void> {
  const { orders, more } = await recordedOrdersOf(core, wanted);
  const { orders: say } = wordsFor(context).service;
  if (json) await seeBuyersOf(core, orders, cliActor());
  if (json) printJson(context, orders);
  else if (orders.length === 0) printLines(context, [say.none]);
  else printTable(context, ordersTable(orders));
  if (more) note(context, say.more(wanted.limit));
}

function ordersTable(orders: readonly ReadOrder[]): WordedTable {
  return {
    header: ['order', 'document', 'of', 'month', 'total', 'declared', 'payment', 'id'],
    rows: orders.map((order) => [
      order.internalNumber,
      order.documentNumber,
      order.documentDate,
      order.month,
      `${order.total.toFixed(order.precision)} ${order.currency}`,
      order.accountingTotal === null ? 'rate missing' : `${order.accountingTotal.toFixed(2)} ${order.accountingCurrency}`,
      order.paymentType,
      order.id,
    ]),
    give: ['payment', 'declared', 'of', 'month'],
    keep: ['id', 'document'],
  };
}

async function show(context: CliContext, core: Core, { id, json }: { id: string; json?: true }): Promise<void> {
  const order = await recordedOrder(core, id);
  if (json) await seeBuyersOf(core, [order], cliActor());
  if (json) printJson(context, order);
  else printLines(context, recordedOrderText(order, context));
}
