import { Command, InvalidArgumentError, Option } from 'commander';
import type { Core } from '../../app/core.ts';
import { orderStates } from '../../bridge/delivery/order-state.ts';
import { listOrders, type OrdersFilter } from '../../bridge/ledger/order-view.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { textTable } from '../../platform/terminal/text-table.ts';
import { money, type OrderBrief, orderBrief } from '../order-brief.ts';
import { withCore } from '../with-core.ts';

type Options = OrdersFilter & { limit: number; json?: true };

const MOST = 100_000;

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

function wholeNumber(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MOST) throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`);
  return number;
}

async function orders(context: CliContext, { pool }: Core, { json, limit, ...filter }: Options): Promise<void> {
  const views = await listOrders(pool, { ...filter, limit: limit + 1 });
  const shown = views.slice(0, limit).map(orderBrief);
  if (json) printJson(context, shown);
  else printLines(context, shown.length === 0 ? ['No order fits.'] : ordersTable(shown));
  if (views.length > limit) note(context, `There are more than ${limit} orders; narrow the list, or raise --limit.`);
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
