import type { Connection } from '../../bridge/connections/connection.ts';
import { toDto } from '../../contract/encode-order.ts';
import { type OrderSides, orderSides } from '../sheets/order-sides.ts';
import { type SeenOrder, termsIfStarted, wantedFor } from './rehearse.ts';

/** An order line by line beside what would be recorded of it. `code`: why a person would be asked; null: nobody would be. */
export type RehearsedOrder = { number: string; placedAt: string; sides: OrderSides; code: string | null };

/** The newest of these orders that should be recorded, the recordable ones first; null: none should be. `orders`: the newest first. */
export function newestRehearsed(orders: readonly SeenOrder[], connection: Connection): RehearsedOrder | null {
  const terms = termsIfStarted(connection);
  const all = orders.map((order) => ({ order, wanted: wantedFor(order, terms) }));
  const chosen = all.find(({ wanted }) => wanted.kind === 'record') ?? all.find(({ wanted }) => wanted.kind === 'problems');
  if (chosen === undefined) return null;
  const { order, wanted } = chosen;
  const { snapshot } = order.facts;
  const record = wanted.kind === 'record' ? toDto(wanted.record, null, connection.shopId) : null;
  return {
    number: snapshot?.number ?? order.orderId,
    placedAt: snapshot?.placedAt ?? '',
    // As if it stood, so that only the store and the record are compared.
    sides: orderSides(order, { desired: record === null ? { kind: 'problems', problems: [] } : { kind: 'record', record }, record, state: 'ignored' }),
    code: wanted.kind === 'problems' ? wanted.problems[0].code : null,
  };
}
