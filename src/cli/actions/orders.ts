import type { Core } from '../../app/core.ts';
import { storeNames } from '../../operations/connections/known-connection.ts';
import { type ListedOrders, listOrders } from '../../operations/orders/find-orders.ts';
import { pauseWords } from '../../operations/orders/why-not-sent.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { withLocalTimes } from '../../platform/terminal/local-time.ts';
import { note, type PrintedTable, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { noteUnreadable } from '../output/note-unreadable.ts';
import { money } from '../text/money.ts';
import { stateTone } from '../text/tones.ts';

export type Options = Parameters<typeof listOrders>[1] & { json?: true };

export async function orders(context: CliContext, core: Core, { json, ...wanted }: Options): Promise<void> {
  const listed = await listOrders(core, wanted);
  const { orders: shown, unreadable, more } = listed;
  if (json) printJson(context, shown);
  else if (shown.length === 0) printLines(context, ['No order found.']);
  else printTable(context, ordersTable(listed));
  noteUnreadable(context, unreadable);
  if (more) note(context, `There are more than ${wanted.limit} orders; narrow the list, or raise --limit.`);
}

function ordersTable({ orders, ignoredFor, connections }: ListedOrders): PrintedTable {
  const nameOf = storeNames(connections);
  return {
    header: ['number', 'state', 'total', 'recorded', 'store', 'why', 'order', 'id', 'connection'],
    rows: orders.map((order) => [
      order.number,
      order.state,
      money(order.orderTotal, order.currency),
      money(order.recordedTotal, order.recordedCurrency),
      nameOf(order.connectionId),
      order.review?.code ?? localWords(order.pause === null ? ignoredFor.get(order.id)?.en : pauseWords(order.pause)),
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
