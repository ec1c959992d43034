import { Command, Option } from 'commander';
import type { Core } from '../../app/core.ts';
import { type OrderState, orderStates } from '../../bridge/order/decisions/order-state.ts';
import type { ListedOrders } from '../../operations/orders/find-orders.ts';
import type { OrderRef } from '../../operations/orders/show-order.ts';
import { stateName } from '../../operations/words.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { withLocalTimes } from '../../platform/terminal/local-time.ts';
import { type Line, note, type PrintedTable, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { terminalWidth } from '../../platform/terminal/text-table.ts';
import { wholeNumber } from '../input/arguments.ts';
import { ORDER } from '../input/shared-options.ts';
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
    rows: orders.map(({ id, connectionId, orderId, number, state, pause, review, currency, ...order }) => {
      const waits = pause === null ? ignoredFor.get(id) : pauseWords(pause);
      const why = review?.code ?? (waits === undefined ? null : withLocalTimes(waits));
      const sums = [money(order.orderTotal, currency), money(order.recordedTotal, order.recordedCurrency)];
      return [number, state, ...sums, nameOf(connectionId), why, orderId, `id:${id}`, connectionId];
    }),
    give: ['connection', 'order', 'id', 'recorded'],
    keep: ['number', 'state', 'id'],
    tones: { state: stateTone },
  };
}

export function orderCommand(context: CliContext): Command {
  return new Command('order')
    .usage('[options] <order>\n       orderbridge order [options] <connection> <store-order>')
    .description(
      'Shows everything about one order: its state and why, the facts, the desired record, the current record, ' +
        'every webhook about it, and every submission with outcome and time. The buyer is printed only with --json, and that you looked goes into the audit log.',
    )
    .argument('<order>', `${ORDER}; before a second argument, the id of its connection`)
    .argument('[store-order]', 'the order’s id in the store’s platform, for a name that fits several orders')
    .option('--json', 'print JSON: state, complianceId, record (the current CreateOrderDto, or null), review, deliveries, submissions, and more')
    .action((first: string, second: string | undefined, { json }: { json?: true }) =>
      order(context, second === undefined ? { named: first } : { connectionId: first, orderId: second }, json === true),
    );
}

function painted(lines: readonly string[], state: OrderState): Line[] {
  const word = stateName(state, 'en');
  return lines.map((line) => (line.startsWith('state ') ? { text: line, word, tone: stateTone(state) } : line));
}

async function order(context: CliContext, name: OrderRef, json: boolean): Promise<void> {
  const { knownConnection } = await import('../../operations/connections/known-connection.ts');
  const { showOrder, showOrderWithBuyer } = await import('../../operations/orders/show-order.ts');
  const { orderText } = await import('../text/order-text.ts');
  const { report, connection, names } = await withCore(context, async (core) => {
    const shown = json ? await showOrderWithBuyer(core, name, { by: cliActor() }) : await showOrder(core, name);
    const by = json ? undefined : shown.resolution?.who;
    // Most orders were decided by nobody, and need none of it.
    const names = by === undefined ? undefined : await (await import('../../operations/people/people.ts')).actorNames(core.pool, [by]);
    return { report: shown, connection: await knownConnection(core.connections, shown.connectionId), names };
  });
  if (json) printJson(context, report);
  else printLines(context, painted(orderText(report, { connection, names, width: terminalWidth(context.stdout) }), report.state));
}
