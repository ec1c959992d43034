import type { Core } from '../app/core.ts';
import { findOrders, type OrderView } from '../bridge/ledger/order-view.ts';
import { CliError } from '../platform/terminal/context.ts';
import { textTable } from '../platform/terminal/text-table.ts';

/** The one order that a person names by ledger id, platform order id or number; `id:7` is the ledger id alone. Of several none is picked for the person. */
export async function oneOrder({ pool }: Core, named: string): Promise<OrderView> {
  const all = await findOrders(pool, named);
  const [first] = all;
  if (first === undefined) throw new CliError(`no order has the id or number ${named}; \`orderbridge orders\` lists them`);
  if (all.length === 1) return first;
  const rows = all.map(({ id, connectionId, orderId, number, state: now }) => [`id:${id}`, connectionId, orderId, number, now]);
  throw new CliError(`${named} names several orders; say which by its id:\n${textTable(['id', 'connection', 'order', 'number', 'state'], rows).join('\n')}`);
}
