import { Command } from 'commander';
import type { OrderState } from '../../bridge/order/order-state.ts';
import { knownConnection } from '../../operations/connections/known-connection.ts';
import { type OrderName, showOrder, showOrderWithBuyer } from '../../operations/orders/show-order.ts';
import { stateName } from '../../operations/words/state-words.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { type Line, printJson, printLines } from '../../platform/terminal/print.ts';
import { terminalWidth } from '../../platform/terminal/terminal-width.ts';
import { cliActor } from '../actor.ts';
import { ORDER } from '../input/order-input.ts';
import { orderText } from '../text/order-text.ts';
import { stateTone } from '../text/tones.ts';
import { withCore } from '../with-core.ts';
import { wordsFor } from '../words/words.ts';

type Options = { json?: true };

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
    .option('--json', 'print JSON: state, complianceId, record (the current CreateOrderDto, or null), parked, deliveries, submissions, and more')
    .action((first: string, second: string | undefined, options: Options) => order(context, nameOf(first, second), options));
}

function nameOf(first: string, second: string | undefined): OrderName {
  return second === undefined ? { named: first } : { connectionId: first, orderId: second };
}

function painted(lines: readonly string[], state: OrderState, context: CliContext): Line[] {
  const { state: field } = wordsFor(context).sheet.fields;
  const word = stateName(state, context.lang ?? 'en');
  return lines.map((line) => (line.startsWith(`${field} `) ? { text: line, word, tone: stateTone(state) } : line));
}

async function order(context: CliContext, name: OrderName, { json }: Options): Promise<void> {
  const { report, connection } = await withCore(context, async (core) => {
    const shown = json ? await showOrderWithBuyer(core, name, { by: cliActor() }) : await showOrder(core, name);
    return { report: shown, connection: await knownConnection(core.connections, shown.connectionId) };
  });
  if (json) printJson(context, report);
  else printLines(context, painted(orderText(report, { connection, width: terminalWidth(context.stdout), lang: context.lang ?? 'en' }), report.state, context));
}
