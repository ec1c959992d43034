import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { type KeptDelivery, parkedDeliveries } from '../../bridge/ledger/delivery-store.ts';
import { listOrders } from '../../bridge/ledger/order-view.ts';
import { failures } from '../../bridge/order/failure.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { money, type OrderBrief, orderBrief } from '../order-brief.ts';
import { todoOf } from '../order-report.ts';
import { withCore } from '../with-core.ts';

const MOST = 10_000;

/** `orderbridge parked` */
export function parkedCommand(context: CliContext): Command {
  return new Command('parked')
    .description(
      'Lists everything that waits for a person, with the reason and what to do: parked orders, unconfirmed orders, ' +
        'and webhooks that are signed but can’t be read, so that nobody knows which order they are about.',
    )
    .option('--json', 'print JSON: {orders, deliveries}')
    .action((options: { json?: true }) => withCore(context, (core) => parked(context, core, options)));
}

type Waiting = OrderBrief & { todo: string | null };

async function parked(context: CliContext, { pool }: Core, { json }: { json?: true }): Promise<void> {
  const [held, lost, deliveries] = await Promise.all([
    listOrders(pool, { state: 'parked', limit: MOST }),
    listOrders(pool, { state: 'unconfirmed', limit: MOST }),
    parkedDeliveries(pool),
  ]);
  const orders: Waiting[] = [...lost, ...held].map((view) => ({ ...orderBrief(view), todo: todoOf(view) }));
  if (json) printJson(context, { orders, deliveries: deliveries.map((delivery) => ({ ...delivery, todo: replayWords(delivery) })) });
  else if (orders.length + deliveries.length === 0) printLines(context, ['Nothing waits for a person.']);
  else printLines(context, [...orders.flatMap(orderLines), ...deliveries.flatMap(deliveryLines)]);
  if (held.length === MOST || lost.length === MOST) note(context, `Only the newest ${MOST} of a kind are shown.`);
}

function orderLines({ id, orderId, number, connectionId, orderTotal, currency, state, parked: reason, todo }: Waiting): string[] {
  const name = `order ${orderId} (${number ?? 'number not known'}), ${money(orderTotal, currency) ?? 'total not known'}, connection ${connectionId}, id:${id}`;
  const why = reason === null ? 'a create’s reply was lost' : `${reason.code}: ${oneLine(reason.detail)}`;
  return [oneLine(name), `  ${state}, ${why}`, `  ${todo ?? ''}`, ''];
}

function deliveryLines(delivery: KeptDelivery): string[] {
  const { id, topic, arrivedAt, connectionId, code, detail } = delivery;
  return [
    `webhook ${oneLine(topic) || '(its body names the topic)'} of ${arrivedAt}, connection ${connectionId}, delivery ${id}`,
    `  parked, ${code ?? ''}: ${oneLine(detail ?? '')}`,
    `  ${replayWords(delivery)}`,
    '',
  ];
}

function replayWords({ kept }: KeptDelivery): string {
  if (!kept) return 'Its body is gone, so it can’t be replayed: save the order in the store, which sends it again.';
  return failures['payload.unreadable'].todo;
}
