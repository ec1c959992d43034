import { formatMoney } from '../../../contract/money.ts';
import { monthOf } from '../../law/months.ts';
import type { Remark } from './article-rules.ts';
import { absolute, hundredths } from './hundredths.ts';
import type { SeenReturn, SeenReturnSums } from './seen-audit.ts';

/** A returned order, as far as known: `total` in hundredths. Null: no file lists it; undefined: other files are not known. */
export type ReturnedOrder = { orderedOn: string | null; total: bigint | null } | null | undefined;

/** `sofar`: the sum of the file's returns of the same order, in hundredths, this one included. */
export type ReturnSeen = { returned: SeenReturn; month: string | null; order: ReturnedOrder; sofar: bigint };

/** Checks the rules of a return once the whole file is known. Pure. */
export function returnRemarks({ returned: { amount, returnedOn }, month, order, sofar }: ReturnSeen): Remark[] {
  const remarks: Remark[] = [];
  if (month !== null && returnedOn !== null && monthOf(returnedOn) !== month)
    remarks.push({ rule: 'return.date-out-of-month', words: `returned on ${returnedOn}, but the file is of ${month}` });
  if ((hundredths(amount) ?? 0n) < 0n) remarks.push({ rule: 'return.negative', words: `r_amount is ${amount}` });
  if (order === null) remarks.push({ rule: 'return.order-unknown', words: 'no file lists this order' });
  if (order == null) return remarks;
  if (order.orderedOn !== null && returnedOn !== null && returnedOn < order.orderedOn)
    remarks.push({ rule: 'return.before-order', words: `returned on ${returnedOn}, but ordered on ${order.orderedOn}` });
  if (order.total !== null && absolute(sofar) > absolute(order.total))
    remarks.push({ rule: 'return.more-than-order', words: `${formatMoney(absolute(sofar), 2)} was given back of ${formatMoney(order.total, 2)}` });
  return remarks;
}

/** `orders` counts the returned orders, `rows` the rows; `amount` is their sum in hundredths. */
export type ReturnsListed = { orders: number; rows: number; amount: bigint };

/** Checks the rules of `r_ord` and `r_total`. Pure. */
export function returnSumRemarks({ count, total }: SeenReturnSums, { orders, rows, amount }: ReturnsListed): Remark[] {
  const remarks: Remark[] = [];
  if (count === null || total === null)
    remarks.push({
      rule: 'return.sums-missing',
      words: `${count === null ? 'r_ord' : 'r_total'} is absent or unreadable`,
      element: count === null ? 'r_ord' : 'r_total',
    });
  if (count !== null && count !== orders && count !== rows)
    remarks.push({ rule: 'return.count-mismatch', words: `r_ord is ${count}, but ${orders} orders are returned in ${rows} rows`, element: 'r_ord' });
  if (total !== null && hundredths(total) !== amount)
    remarks.push({ rule: 'return.total-mismatch', words: `r_total is ${total}, but the rows are ${formatMoney(amount, 2)} in sum`, element: 'r_total' });
  return remarks;
}
