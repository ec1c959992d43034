import { Command } from 'commander';
import { type OrderName, showOrder } from '../../operations/orders/show-order.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { orderText } from '../text/order-text.ts';
import { withCore } from '../with-core.ts';

type Options = { json?: true };

/** `orderbridge order` */
export function orderCommand(context: CliContext): Command {
  return new Command('order')
    .description(
      'Shows everything about one order: its state and why, the facts, the record that should stand, the record that stands, ' +
        'every webhook about it, and every submission with outcome and time.',
    )
    .argument('<connection>', 'id of the connection')
    .argument('<order>', 'the order’s id in the store’s platform (`orderbridge orders --number` finds it)')
    .option('--json', 'print JSON: state, complianceId, record (the CreateOrderDto that stands, or null), parked, deliveries, submissions, and more')
    .action((connectionId: string, orderId: string, options: Options) => order(context, { connectionId, orderId }, options));
}

async function order(context: CliContext, name: OrderName, { json }: Options): Promise<void> {
  const report = await withCore(context, (core) => showOrder(core, name));
  if (json) printJson(context, report);
  else printLines(context, orderText(report));
}
