import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { deliveriesOfOrder } from '../../bridge/ledger/delivery-store.ts';
import { findOrder, stepsOf } from '../../bridge/ledger/order-view.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { knownConnection } from '../known-connection.ts';
import { orderReport } from '../order-report.ts';
import { orderText } from '../text/order-text.ts';
import { withCore } from '../with-core.ts';

type Named = { connection: string; orderId: string; json?: true };

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
    .action((connection: string, orderId: string, { json }: { json?: true }) =>
      withCore(context, (core) => order(context, core, { connection, orderId, ...(json && { json }) })),
    );
}

async function order(context: CliContext, core: Core, { connection: connectionId, orderId, json }: Named): Promise<void> {
  const asked = await knownConnection(core, connectionId);
  const view = await findOrder(core.pool, connectionId, orderId);
  if (view === null) {
    throw new CliError(`${connectionId} knows no order ${orderId}; give the platform's own order id, which \`orderbridge orders --number NUMBER\` finds`);
  }
  const [deliveries, steps, owner] = await Promise.all([
    deliveriesOfOrder(core.pool, view.id),
    stepsOf(core.pool, view.id),
    view.connectionId === asked.id ? asked : knownConnection(core, view.connectionId),
  ]);
  const report = orderReport({ view, connection: owner, deliveries, steps });
  if (json) printJson(context, report);
  else printLines(context, orderText(report));
}
