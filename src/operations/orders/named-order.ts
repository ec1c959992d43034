import { findOrders, type KeptOrder } from '../../bridge/ledger/kept-order.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { Refusal } from '../refusal.ts';

/** The one order that a person names by ledger id, platform order id or number; `id:7` is the ledger id alone. If several fit, it refuses and lists them. */
export async function namedOrder({ pool }: { pool: Pool }, named: string): Promise<KeptOrder> {
  const all = await findOrders(pool, named);
  const [first] = all;
  if (first === undefined) throw unknownOrder(named);
  if (all.length === 1) return first;
  throw new Refusal('conflict', `${named} names several orders`, {
    advice: 'say which by its id',
    choices: {
      header: ['id', 'connection', 'order', 'number', 'state'],
      rows: all.map(({ id, connectionId, orderId, number, state }) => [`id:${id}`, connectionId, orderId, number, state]),
    },
  });
}

export function unknownOrder(named: string): Refusal {
  return new Refusal('missing', `no order has the id or number ${named}`, { advice: '`orderbridge orders` lists them' });
}
