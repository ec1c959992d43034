import type { Core } from '../app/core.ts';
import { findOrders, type OrderView } from '../ledger/order-view.ts';
import { CliError } from './context.ts';
import { textTable } from './text-table.ts';

/** The one order that a person names by ledger id, platform order id or number; of several, the only one in this state. */
export async function oneOrder({ pool }: Core, named: string, state: OrderView['state']): Promise<OrderView> {
  const all = await findOrders(pool, named);
  const fitting = all.filter((order) => order.state === state);
  const [first] = fitting.length === 0 ? all : fitting;
  if (first === undefined) throw new CliError(`no order has the id or number ${named}; \`orderbridge orders\` lists them`);
  if (fitting.length === 1 || all.length === 1) return first;
  const rows = all.map(({ id, connectionId, orderId, number, state: now }) => [String(id), connectionId, orderId, number, now]);
  throw new CliError(`${named} names several orders; say which by its id:\n${textTable(['id', 'connection', 'order', 'number', 'state'], rows).join('\n')}`);
}
