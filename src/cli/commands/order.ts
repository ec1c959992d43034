import { Command } from 'commander';
import type { OrderState } from '../../bridge/order/decisions/order-state.ts';
import { stateName } from '../../operations/words.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { type Line, printJson, printLines } from '../../platform/terminal/print.ts';
import { terminalWidth } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { ORDER } from '../input/shared-options.ts';
import { stateTone } from '../text/tones.ts';
import { withCore } from '../with-core.ts';

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

function painted(lines: readonly string[], state: OrderState): Line[] {
  const word = stateName(state, 'en');
  return lines.map((line) => (line.startsWith('state ') ? { text: line, word, tone: stateTone(state) } : line));
}

async function order(context: CliContext, given: OrderArguments, { json }: Options): Promise<void> {
  const { knownConnection } = await import('../../operations/connections/known-connection.ts');
  const { showOrder, showOrderWithBuyer } = await import('../../operations/orders/show-order.ts');
  const { orderText } = await import('../text/order-text.ts');
  const name = given.second === undefined ? { named: given.first } : { connectionId: given.first, orderId: given.second };
  const { report, connection } = await withCore(context, async (core) => {
    const shown = json ? await showOrderWithBuyer(core, name, { by: cliActor() }) : await showOrder(core, name);
    return { report: shown, connection: await knownConnection(core.connections, shown.connectionId) };
  });
  if (json) printJson(context, report);
  else printLines(context, painted(orderText(report, { connection, width: terminalWidth(context.stdout) }), report.state));
}
