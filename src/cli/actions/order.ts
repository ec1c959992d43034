import type { OrderState } from '../../bridge/order/order-state.ts';
import { knownConnection } from '../../operations/connections/known-connection.ts';
import { type OrderName, showOrder, showOrderWithBuyer } from '../../operations/orders/show-order.ts';
import { stateName } from '../../operations/words/state-words.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { type Line, printJson, printLines } from '../../platform/terminal/print.ts';
import { terminalWidth } from '../../platform/terminal/terminal-width.ts';
import { cliActor } from '../actor.ts';
import { orderText } from '../text/order-text.ts';
import { stateTone } from '../text/tones.ts';
import { withCore } from '../with-core.ts';

export type Options = { json?: true };
type Given = { first: string; second: string | undefined };

function nameOf({ first, second }: Given): OrderName {
  return second === undefined ? { named: first } : { connectionId: first, orderId: second };
}

function painted(lines: readonly string[], state: OrderState): Line[] {
  const word = stateName(state, 'en');
  return lines.map((line) => (line.startsWith('state ') ? { text: line, word, tone: stateTone(state) } : line));
}

export async function order(context: CliContext, given: Given, { json }: Options): Promise<void> {
  const name = nameOf(given);
  const { report, connection } = await withCore(context, async (core) => {
    const shown = json ? await showOrderWithBuyer(core, name, { by: cliActor() }) : await showOrder(core, name);
    return { report: shown, connection: await knownConnection(core.connections, shown.connectionId) };
  });
  if (json) printJson(context, report);
  else printLines(context, painted(orderText(report, { connection, width: terminalWidth(context.stdout) }), report.state));
}
