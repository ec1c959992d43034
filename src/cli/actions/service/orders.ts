import type { Core } from '../../../app/core.ts';
import { recordedOrder, recordedOrdersOf, type ShopList, seeBuyersOf } from '../../../operations/service/recorded-orders.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { note, type PrintedTable, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import type { ReadOrder } from '../../../service/reading/read-order-dto.ts';
import { cliActor } from '../../actor.ts';
import { recordedOrderText } from '../../text/recorded-order-text.ts';

export type ListOptions = ShopList & { json?: true };

export async function list(context: CliContext, core: Core, { json, ...wanted }: ListOptions): Promise<void> {
  const { orders, more } = await recordedOrdersOf(core, wanted);
  if (json) await seeBuyersOf(core, orders, cliActor());
  if (json) printJson(context, orders);
  else if (orders.length === 0) printLines(context, ['No order found.']);
  else printTable(context, ordersTable(orders));
  if (more) note(context, `There are more than ${wanted.limit} orders; narrow the list with --month, or raise --limit.`);
}

function ordersTable(orders: readonly ReadOrder[]): PrintedTable {
  return {
    header: ['order', 'document', 'of', 'month', 'total', 'declared', 'payment', 'id'],
    rows: orders.map((order) => [
      order.internalNumber,
      order.documentNumber,
      order.documentDate,
      order.month,
      `${order.total.toFixed(order.precision)} ${order.currency}`,
      order.accountingTotal === null ? 'rate missing' : `${order.accountingTotal.toFixed(2)} ${order.accountingCurrency}`,
      order.paymentType,
      order.id,
    ]),
    give: ['payment', 'declared', 'of', 'month'],
    keep: ['id', 'document'],
  };
}

export async function show(context: CliContext, core: Core, { id, json }: { id: string; json?: true }): Promise<void> {
  const order = await recordedOrder(core, id);
  if (json) await seeBuyersOf(core, [order], cliActor());
  if (json) printJson(context, order);
  else printLines(context, recordedOrderText(order, context));
}
