import { decimal } from '../../../contract/decimal.ts';
import type { Refund, RefundLine } from '../../order/facts.ts';
import { absolute, addUp, isNegative, isZero, negate, subtract, trimZeros } from '../amounts.ts';
import { smallestAmount } from './line-money.ts';
import type { WooRefund, WooRefundLine } from './payload.ts';
import { utc } from './snapshot.ts';

/** A refund of the REST API with the lines that it takes back. */
export function toRefund(refund: WooRefund): Refund {
  const given = [...refund.line_items, ...refund.shipping_lines, ...refund.fee_lines];
  const amount = absolute(refund.amount);
  return { id: refund.id, at: utc(refund.date_created_gmt), amount, transactions: [], lines: withoutGap(given.flatMap(toRefundLine), given, amount) };
}

/** With “Round tax at subtotal level” the shown amounts may differ from the money by half the smallest amount each: the largest line takes the gap. */
function withoutGap(lines: RefundLine[], given: WooRefundLine[], amount: string): RefundLine[] {
  const gap = subtract(amount, addUp(lines.map((line) => line.amount)));
  const shown = given.flatMap(({ total, total_tax }) => [total, total_tax]).filter((each) => !isZero(each));
  const explained = decimal(smallestAmount([amount, ...shown]))
    .times(BigInt(shown.length))
    .div(2n);
  if (isZero(gap) || decimal(gap).abs().gt(explained)) return lines;
  const largest = lines.reduce((a, b) => (isNegative(subtract(absolute(a.amount), absolute(b.amount))) ? b : a));
  return lines.map((line) => (line === largest ? { ...line, amount: addUp([line.amount, gap]) } : line));
}

// Negated: what a refund gives back is below zero, and above for a fee that was a discount. A line that names none of the
// order's is left out; its money is in the refund's amount.
function toRefundLine({ quantity, total, total_tax, meta_data }: WooRefundLine): RefundLine[] {
  const given = meta_data.find(({ key }) => key === '_refunded_item_id')?.value;
  const lineId = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
  const line = { lineId, quantity: trimZeros(absolute(quantity ?? '0')), amount: negate(addUp([total, total_tax])) };
  return lineId === '' || (isZero(line.quantity) && isZero(line.amount)) ? [] : [line];
}
