import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { OrderState } from '../../bridge/order/decisions/order-state.ts';
import type { OrderRef } from '../../operations/orders/show-order.ts';
import { stateName } from '../../operations/words.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { type Line, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { terminalWidth } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { ORDER } from '../input/shared-options.ts';
import { stateTone } from '../text/tones.ts';
import { withCore } from '../with-core.ts';

/** `orderbridge order` */
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
    .action((first: string, second: string | undefined, options: Options) => order(context, { first, second }, options));
}

type Options = { json?: true };
type OrderArguments = { first: string; second: string | undefined };

function nameOf({ first, second }: OrderArguments): OrderRef {
  return second === undefined ? { named: first } : { connectionId: first, orderId: second };
}

function painted(lines: readonly string[], state: OrderState): Line[] {
  const word = stateName(state, 'en');
  return lines.map((line) => (line.startsWith('state ') ? { text: line, word, tone: stateTone(state) } : line));
}

async function order(context: CliContext, given: OrderArguments, { json }: Options): Promise<void> {
  const { knownConnection } = await import('../../operations/connections/known-connection.ts');
  const { showOrder, showOrderWithBuyer } = await import('../../operations/orders/show-order.ts');
  const { orderText } = await import('../text/order-text.ts');
  const name = nameOf(given);
  const { report, connection } = await withCore(context, async (core) => {
    const shown = json ? await showOrderWithBuyer(core, name, { by: cliActor() }) : await showOrder(core, name);
    return { report: shown, connection: await knownConnection(core.connections, shown.connectionId) };
  });
  if (json) printJson(context, report);
  else printLines(context, painted(orderText(report, { connection, width: terminalWidth(context.stdout) }), report.state));
}

/** `orderbridge exports` */
export function exportsCommand(context: CliContext): Command {
  return new Command('exports')
    .description(
      'Shows what is stored about customers who asked their shop for it, where its platform passes such requests on. ' +
        'The merchant must hand it to the customer; the data itself is in the JSON form, and that you looked goes into the audit log.',
    )
    .option('--json', 'print JSON: an array of exports with their data')
    .action((options: { json?: true }) => withCore(context, (core) => showExports(context, core, options)));
}

async function showExports(context: CliContext, { pool, connections }: Core, { json }: { json?: true }): Promise<void> {
  const { storeNames } = await import('../../operations/connections/known-connection.ts');
  const { exportsAsked, seeExports } = await import('../../operations/orders/show-order.ts');
  if (json) return printJson(context, await seeExports({ pool }, { by: cliActor() }));
  const all = await exportsAsked({ pool });
  if (all.length === 0) return printLines(context, ['No customer has asked.']);
  const nameOf = storeNames(await connections.list());
  const rows = all.map(({ id, connectionId, requestId, createdAt }) => [String(id), nameOf(connectionId), requestId, localTime(createdAt), connectionId]);
  const header = ['export', 'store', 'request', 'asked', 'connection'] as const;
  printTable(context, { header, rows, give: ['connection'], keep: ['export', 'asked'] });
  printLines(context, ['', '`orderbridge exports --json` prints the data.']);
}
