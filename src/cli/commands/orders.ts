import { Command, Option } from 'commander';
import type { Core } from '../../app/core.ts';
import type { OrdersFilter } from '../../bridge/ledger/kept-order.ts';
import { orderStates } from '../../bridge/order/order-state.ts';
import { listOrders } from '../../operations/orders/list-orders.ts';
import type { OrderBrief } from '../../operations/orders/order-brief.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { textTable } from '../../platform/terminal/text-table.ts';
import { wholeNumber } from '../input/arguments.ts';
import { noteUnreadable } from '../output/note-unreadable.ts';
import { money } from '../text/money.ts';
import { withCore } from '../with-core.ts';

type Options = OrdersFilter & { limit: number; json?: true };

/** `orderbridge orders` */
export function ordersCommand(context: CliContext): Command {
  const states = Object.entries(orderStates).map(([state, means]) => `  ${state.padEnd(12)} ${means}`);
  return new Command('orders')
    .description('Lists orders, the newest first.')
    .addOption(new Option('--state <state>', 'only orders in this state').choices(Object.keys(orderStates)))
    .option('--connection <id>', 'only orders that came through this connection')
    .option('--number <number>', 'only orders with this number or platform order id')
    .option('--limit <n>', 'how many at most', wholeNumber, 1_000)
    .option('--json', 'print JSON: an array of orders')
    .addHelpText('after', `\nStates:\n${states.join('\n')}`)
    .action((options: Options) => withCore(context, (core) => orders(context, core, options)));
}

async function orders(context: CliContext, core: Core, { json, ...wanted }: Options): Promise<void> {
  const { orders: shown, unreadable, more } = await listOrders(core, wanted);
  if (json) printJson(context, shown);
  else printLines(context, shown.length === 0 ? ['No order fits.'] : ordersTable(shown));
  noteUnreadable(context, unreadable);
  if (more) note(context, `There are more than ${wanted.limit} orders; narrow the list, or raise --limit.`);
}

function ordersTable(orders: readonly OrderBrief[]): string[] {
  return textTable(
    ['id', 'connection', 'order', 'number', 'state', 'total', 'recorded', 'why'],
    orders.map((order) => [
      String(order.id),
      order.connectionId,
      order.orderId,
      order.number,
      order.state,
      money(order.orderTotal, order.currency),
      money(order.recordedTotal, order.recordedCurrency),
      order.parked?.code ?? null,
    ]),
  );
}
