import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { failures } from '../../bridge/order/failure.ts';
import { listWaiting, type WaitingDelivery, type WaitingOrder, type WaitingStore } from '../../operations/orders/list-waiting.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { noteUnreadable } from '../output/note-unreadable.ts';
import { money } from '../text/money.ts';
import { withCore } from '../with-core.ts';

/** `orderbridge parked` */
export function parkedCommand(context: CliContext): Command {
  return new Command('parked')
    .description(
      'Lists everything that waits for a person, with the reason and what to do: parked orders, unconfirmed orders, ' +
        'webhooks that are signed but can’t be read, so that their orders are not known, and hosts whose webhooks are held because they are not the store’s.',
    )
    .option('--json', 'print JSON: {orders, deliveries, stores}')
    .action((options: { json?: true }) => withCore(context, (core) => parked(context, core, options)));
}

async function parked(context: CliContext, core: Core, { json }: { json?: true }): Promise<void> {
  const { orders, deliveries, stores, unreadable, cutAt } = await listWaiting(core);
  if (json) printJson(context, { orders, deliveries, stores });
  else if (orders.length + deliveries.length + stores.length === 0) printLines(context, ['Nothing waits for a person.']);
  else printLines(context, [...stores.flatMap(storeLines), ...orders.flatMap(orderLines), ...deliveries.flatMap(deliveryLines)]);
  noteUnreadable(context, unreadable);
  if (cutAt !== null) note(context, `Only the newest ${cutAt} of a kind are shown.`);
}

function storeLines({ connectionId, host, deliveries, firstAt, lastAt, code, todo }: WaitingStore): string[] {
  const held = deliveries === 1 ? `1 webhook of ${firstAt}` : `${deliveries} webhooks from ${firstAt} to ${lastAt}`;
  return [oneLine(`host ${host}, connection ${connectionId}`), `  held, ${code}: ${held}. ${failures[code].means}`, `  ${todo}`, ''];
}

function orderLines({ id, orderId, number, connectionId, orderTotal, currency, state, parked: reason, todo }: WaitingOrder): string[] {
  const name = `order ${orderId} (${number ?? 'number not known'}), ${money(orderTotal, currency) ?? 'total not known'}, connection ${connectionId}, id:${id}`;
  const why = reason === null ? 'a create’s reply was lost' : `${reason.code}: ${oneLine(reason.detail)}`;
  return [oneLine(name), `  ${state}, ${why}`, `  ${todo ?? ''}`, ''];
}

function deliveryLines({ id, topic, arrivedAt, connectionId, code, detail, todo }: WaitingDelivery): string[] {
  return [
    `webhook ${oneLine(topic) || '(its body names the topic)'} of ${arrivedAt}, connection ${connectionId}, delivery ${id}`,
    `  parked, ${code ?? ''}: ${oneLine(detail ?? '')}`,
    `  ${todo}`,
    '',
  ];
}
