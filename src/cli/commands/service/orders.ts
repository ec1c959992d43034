import { Command } from 'commander';
import type { Core } from '../../../app/core.ts';
import type { ShopList } from '../../../operations/service/recorded-orders.ts';
import { type CliContext, cliActor } from '../../../platform/terminal/context.ts';
import { note, type PrintedTable, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import type { ReadOrder } from '../../../service/reading/read-orders.ts';
import { month, wholeNumber } from '../../input/arguments.ts';
import { confirm } from '../../input/confirm.ts';
import { readJsonFile } from '../../input/read-file.ts';
import { type CoreAndService, withService } from '../../with-core.ts';

export function recordedOrdersCommand(context: CliContext): Command {
  const orders = new Command('orders')
    .summary('list, show, create and delete recorded orders')
    .description('The orders that are recorded in our own compliance service.');
  orders
    .command('list')
    .summary('list the orders of a shop')
    .description('Lists the orders that are recorded in a shop, oldest first.')
    .requiredOption('--shop <id>', 'id of the shop')
    .option('--month <month>', 'only those that the audit file of this month lists, such as 2026-10', month)
    .option('--limit <n>', 'how many at most', wholeNumber, 1_000)
    .option('--json', 'print JSON: an array of orders, with their buyers; viewing them is noted in the audit log')
    .action((options: ListOptions) => withService(context, ({ core }) => list(context, core, options)));
  orders
    .command('show')
    .argument('<id>', 'id of the order at the compliance service')
    .summary('show an order')
    .description(
      'Shows an order with its sums, its document and the month whose audit file lists it. The buyer is shown only in JSON, and viewing it is noted in the audit log.',
    )
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: true }) => withService(context, ({ core }) => show(context, core, { id, ...options })));
  orders.addCommand(createOrderCommand(context));
  orders.addCommand(deleteOrderCommand(context));
  return orders;
}

/** `orderbridge service orders create` */
function createOrderCommand(context: CliContext): Command {
  return new Command('create')
    .summary('record an order by hand')
    .description(
      'Records an order by hand, for one that orderbridge can’t decide. Run again with the same order, it finds the recorded one. ' +
        'Then `orderbridge resolve ORDER --recorded ID` says which order it belongs to. The fields are those of CreateOrderDto ' +
        '(docs/compliance-api.md), amounts in decimals.',
    )
    .requiredOption('--file <file>', 'the order: a JSON file')
    .option('--shop <id>', 'id of the shop, if the order names none')
    .option('--why <words>', 'why, for the audit log')
    .option('--json', 'print JSON: {id, documentNumber, isNew}')
    .action((options: CreateOptions) => withService(context, (opened) => create(context, opened, options)));
}

/** `orderbridge service orders delete` */
function deleteOrderCommand(context: CliContext): Command {
  return new Command('delete')
    .argument('<id>', 'id of the order at the compliance service')
    .summary('delete a recorded order')
    .description(
      'Deletes a recorded order, as the API does: its number is voided, or in a closed month it becomes a return. ' +
        'orderbridge does not notice that a record of its own is gone; it first says what follows from that, and asks.',
    )
    .option('--why <words>', 'why, for the audit log')
    .option('--yes', 'do not ask')
    .action((id: string, options: DeleteOptions) => withService(context, (opened) => remove(context, opened, { id, ...options })));
}

type ListOptions = ShopList & { json?: true };

async function list(context: CliContext, core: Core, { json, ...wanted }: ListOptions): Promise<void> {
  const { recordedOrdersOf, seeBuyersOf } = await import('../../../operations/service/recorded-orders.ts');
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

async function show(context: CliContext, core: Core, { id, json }: { id: string; json?: true }): Promise<void> {
  const { recordedOrderText } = await import('../../text/recorded-order-text.ts');
  const { recordedOrder, seeBuyersOf } = await import('../../../operations/service/recorded-orders.ts');
  const order = await recordedOrder(core, id);
  if (json) await seeBuyersOf(core, [order], cliActor());
  if (json) printJson(context, order);
  else printLines(context, recordedOrderText(order, context));
}

type CreateOptions = { file: string; shop?: string; why?: string; json?: true };

type DeleteOptions = { why?: string; yes?: true };

async function create(context: CliContext, { core, service }: CoreAndService, { file, json, ...given }: CreateOptions): Promise<void> {
  const { createByHand } = await import('../../../operations/service/recorded-orders.ts');
  const created = await createByHand({ pool: core.pool, service }, { body: await readJsonFile(context, file), by: cliActor(), ...given });
  if (json) return printJson(context, created);
  const { id, documentNumber, isNew } = created;
  printLines(context, [
    `The order is recorded${isNew ? '' : ' already'}: ${id}${documentNumber === null ? '' : `, document ${documentNumber}`}.`,
    `If it is an order of a store: orderbridge resolve ORDER --recorded ${id} --why "…"`,
  ]);
}

async function remove(context: CliContext, { core, service }: CoreAndService, { id, yes, ...said }: DeleteOptions & { id: string }): Promise<void> {
  const { deleteByHand, lookBeforeDelete } = await import('../../../operations/service/recorded-orders.ts');
  const { recorded, order } = await lookBeforeDelete(core, id);
  const { internalNumber, total, precision, currency } = recorded;
  note(context, `The record ${id} is of the order ${internalNumber}, ${total.toFixed(precision)} ${currency}.`);
  if (order !== null)
    note(
      context,
      `orderbridge holds it as the record of its order ${order.name} (id:${order.id}), and does not notice that it is gone. If the order needs review, record it anew ` +
        `afterwards and \`orderbridge resolve id:${order.id} --recorded ID\`, or leave this record and let \`orderbridge release id:${order.id} --remove\` delete it, ` +
        'which orderbridge knows of. If it is not in review, `orderbridge reconcile` records it anew where the store can be read by a key; else nothing does.',
    );
  if (yes === undefined) await confirm(context, 'Delete it?');
  await deleteByHand({ service }, { id, by: cliActor(), ...said });
  printLines(context, [`The record ${id} is deleted.`]);
}
