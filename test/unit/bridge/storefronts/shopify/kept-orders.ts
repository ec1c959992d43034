import type { Snapshot } from '../../../../../src/bridge/order/facts/facts.ts';
import { itemBody, moneySet, orderBody, refundBody, refundLineBody, taxBody, transactionBody } from './bodies.ts';
import { recordOf } from './record-of.ts';

type Fields = Record<string, unknown>;

/** A piece of 60.00, or what is said; with `left` 0 it is gone. */
export function piece(id: number, left: number, fields: Fields = {}): Fields {
  const price = String(fields['price'] ?? '60.00');
  return itemBody({
    id,
    name: `Piece ${id}`,
    quantity: 1,
    current_quantity: left,
    price,
    tax_lines: [taxBody((Number(price) / 6).toFixed(2), 0.2)],
    ...fields,
  });
}
/** The fields of a piece at 9 %. */
export const at9 = (price: string): Fields => ({ price, tax_lines: [taxBody(((Number(price) * 9) / 109).toFixed(2), 0.09)] });

type Given = Fields & { pieces?: [id: number, subtotal: string][] };

/** A refund: its pieces, and its money; null for none, as edits book what they take off. */
export function gave(id: number, amount: string | null, { pieces = [], ...fields }: Given = {}): Fields {
  return refundBody({
    id,
    refund_line_items: pieces.map(([line_item_id, subtotal]) =>
      refundLineBody({ line_item_id, subtotal: Number(subtotal), subtotal_set: moneySet(subtotal), total_tax: 0, total_tax_set: moneySet('0.00') }),
    ),
    transactions: amount === null ? [] : [transactionBody({ id: id + 1, amount })],
    ...fields,
  });
}

/** What a snapshot says of money. */
export function inShort({ lines, total, kept, refunds, owed, otherwise }: Snapshot) {
  const money = lines.map(({ name, quantity, gross, discount, vatRate }) => `${quantity} × ${name}: ${gross} − ${discount} at ${vatRate} %`);
  return { lines: money, total, kept, refunds, owed, otherwise: otherwise?.map((reading) => reading.total) };
}

/** What is recorded of this order alone, with these payments. */
export function endOf(fields: Fields, charges: string[] = []): string[] {
  const payments = charges.map((amount, nth) => transactionBody({ id: 50 + nth, kind: 'sale', amount, processed_at: '2026-10-14T11:32:10+03:00' }));
  const told = [{ topic: 'orders/updated', body: orderBody(fields) }, ...payments.map((body) => ({ topic: 'order_transactions/create', body }))];
  return recordOf(told).map((line) => line.replace(/ Piece \d,/, ' at'));
}
