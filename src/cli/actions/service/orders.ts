import type { Core } from '../../../app/core.ts';
import {
  createByHand,
  deleteByHand,
  lookBeforeDelete,
  recordedOrder,
  recordedOrdersOf,
  type ShopList,
  seeBuyersOf,
} from '../../../operations/service/recorded-orders.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { note, type PrintedTable, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import type { ReadOrder } from '../../../service/reading/read-orders.ts';
import { cliActor } from '../../actor.ts';
import { confirm } from '../../input/confirm.ts';
import { readJsonFile } from '../../input/read-file.ts';
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

export type CreateOptions = { file: string; shop?: string; why?: string; json?: true };
export type DeleteOptions = { why?: string; yes?: true };
type Opened = { core: Core; service: ComplianceService };

export async function create(context: CliContext, { core, service }: Opened, { file, shop, why, json }: CreateOptions): Promise<void> {
  const given = { ...(shop === undefined ? {} : { shop }), ...(why === undefined ? {} : { why }) };
  const created = await createByHand({ pool: core.pool, service }, { body: await readJsonFile(context, file), by: cliActor(), ...given });
  if (json) return printJson(context, created);
  const { id, documentNumber, isNew } = created;
  printLines(context, [
    `The order is recorded${isNew ? '' : ' already'}: ${id}${documentNumber === null ? '' : `, document ${documentNumber}`}.`,
    `If it is an order of a store: orderbridge resolve ORDER --recorded ${id} --why "…"`,
  ]);
}

export async function remove(context: CliContext, { core, service }: Opened, { id, why, yes }: DeleteOptions & { id: string }): Promise<void> {
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
  await deleteByHand({ service }, { id, by: cliActor(), ...(why === undefined ? {} : { why }) });
  printLines(context, [`The record ${id} is deleted.`]);
}
