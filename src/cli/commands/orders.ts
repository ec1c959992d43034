import { Command, Option } from 'commander';
import type { Core } from '../../app/core.ts';
import { orderStates } from '../../bridge/order/decisions/order-state.ts';
import type { ListedOrders } from '../../operations/orders/find-orders.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { withLocalTimes } from '../../platform/terminal/local-time.ts';
import { note, type PrintedTable, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { wholeNumber } from '../input/arguments.ts';
import { noteUnreadable } from '../output/note-unreadable.ts';
import { money } from '../text/money.ts';
import { stateTone } from '../text/tones.ts';
import { withCore } from '../with-core.ts';

export function ordersCommand(context: CliContext): Command {
  const states = Object.entries(orderStates).map(([state, { means }]) => `  ${state.padEnd(12)} ${means}`);
  return new Command('orders')
    .description('Lists orders, the newest first.')
    .addOption(new Option('--state <state>', 'only orders in this state').choices(Object.keys(orderStates)))
    .option('--connection <connection>', 'only orders that came through this connection: its name, or the beginning of its id')
    .option('--number <number>', 'only orders of this name: number, platform order id, document number or compliance id')
    .option('--limit <n>', 'how many at most', wholeNumber, 1_000)
    .option('--json', 'print JSON: an array of orders')
    .addHelpText('after', `\nStates:\n${states.join('\n')}`)
    .action((options: Options) => withCore(context, (core) => orders(context, core, options)));
}

type Options = Parameters<typeof import('../../operations/orders/find-orders.ts').listOrders>[1] & { json?: true };

async function orders(context: CliContext, core: Core, { json, ...wanted }: Options): Promise<void> {
  const { listOrders } = await import('../../operations/orders/find-orders.ts');
  const listed = await listOrders(core, wanted);
  const { orders: shown, unreadable, more } = listed;
  if (json) printJson(context, shown);
  else if (shown.length === 0) printLines(context, ['No order found.']);
  else printTable(context, await ordersTable(listed));
  noteUnreadable(context, unreadable);
  if (more) note(context, `There are more than ${wanted.limit} orders; narrow the list, or raise --limit.`);
}

async function ordersTable({ orders, ignoredFor, connections }: ListedOrders): Promise<PrintedTable> {
  const { storeNames } = await import('../../operations/connections/known-connection.ts');
  const { pauseWords } = await import('../../operations/orders/why-not-sent.ts');
  const nameOf = storeNames(connections);
  return {
    header: ['number', 'state', 'total', 'recorded', 'store', 'why', 'order', 'id', 'connection'],
    rows: orders.map((order) => [
      order.number,
      order.state,
      money(order.orderTotal, order.currency),
      money(order.recordedTotal, order.recordedCurrency),
      nameOf(order.connectionId),
      order.review?.code ?? localWords(order.pause === null ? ignoredFor.get(order.id) : pauseWords(order.pause)),
      order.orderId,
      `id:${order.id}`,
      order.connectionId,
    ]),
    give: ['connection', 'order', 'id', 'recorded'],
    keep: ['number', 'state', 'id'],
    tones: { state: stateTone },
  };
}

function localWords(words: string | undefined): string | null {
  return words === undefined ? null : withLocalTimes(words);
}
