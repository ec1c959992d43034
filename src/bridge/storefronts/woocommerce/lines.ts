import type { DraftLine, LineKind } from '../../order/facts.ts';
import type { Problem } from '../../order/failure.ts';
import { addUp, asMoney, isNegative, isZero, roundedMoney, subtract, trimZeros } from '../amounts.ts';
import type { WooLine, WooOrder } from './payload.ts';
import { vatRateOf } from './vat-rate.ts';

type Read = { lines: DraftLine[]; problems: Problem[] };

/** Items, shipping and fees as lines with VAT. A line that a tax record can't express is kept, and named among the problems. */
export function readLines(order: WooOrder): Read {
  const read: Read = { lines: [], problems: [] };
  for (const line of order.line_items) readLine(line, 'item', { order, read });
  for (const line of order.shipping_lines) readLine(line, 'shipping', { order, read });
  for (const line of order.fee_lines) readLine(line, 'fee', { order, read });
  return read;
}

function readLine(line: WooLine, kind: LineKind, { order, read }: { order: WooOrder; read: Read }): void {
  const { gross, paid } = amountsOf(line, order.currency);
  const free = isZero(gross) && isZero(paid);
  const quantity = quantityOf(line);
  if (quantity === null && kind === 'item' && free) return;
  const vatRate = vatRateOf(line, order.tax_lines);
  if (asMoney(paid, order.currency) === null) read.problems.push({ code: 'amount.inexact', detail: `line ${line.id}: ${paid} ${order.currency}` });
  if (vatRate === null && !free) read.problems.push({ code: 'vat.unclear', detail: `line ${line.id}: its taxes do not name one rate` });
  read.lines.push({
    id: line.id,
    // Plugins sell discounts as items or shipping below zero; only a fee may be that.
    kind: isNegative(gross) ? 'fee' : kind,
    name: line.name || line.method_title || kind,
    quantity: quantity ?? '1',
    gross,
    discount: roundedMoney(subtract(gross, paid), order.currency),
    vatRate: vatRate ?? '0',
  });
}

/** `total + total_tax` is what was paid, exactly; the amount before coupons counts as gross only if something was really taken off. */
function amountsOf(line: WooLine, currency: string): { gross: string; paid: string } {
  const exact = addUp([line.total, line.total_tax]);
  const paid = asMoney(exact, currency);
  if (paid === null) return { gross: exact, paid: exact };
  const before = typeof line.subtotal === 'string' ? roundedMoney(addUp([line.subtotal, line.subtotal_tax]), currency) : paid;
  const takenOff = !isNegative(paid) && !isNegative(subtract(before, paid));
  return { gross: takenOff ? before : paid, paid };
}

function quantityOf({ quantity }: WooLine): string | null {
  const isSome = typeof quantity === 'string' && !isZero(quantity) && !isNegative(quantity);
  return isSome ? trimZeros(quantity) : null;
}
