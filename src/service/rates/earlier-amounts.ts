import { decimal, tenTo, times } from '../../contract/decimal.ts';
import { padDecimals } from '../../contract/decimal-text.ts';
import { earlierSubtotalOf } from '../../contract/earlier-totals.ts';
import { exactMoney, formatMoney, smaller } from '../../contract/money.ts';
import type { RecordLine } from '../../contract/record.ts';
import { converterOf } from './convert.ts';
import type { Into, LineAmounts, ToDeclare } from './declared-amounts.ts';

const CENTS = 2;

/**
 * The lines of an order that was recorded with the first rules, as they were declared then: unit prices and discounts are converted and rounded one by
 * one, and the VAT of each line is rounded by itself. Null if the exchange rate is needed and not known.
 */
export function earlierAmounts({ currency, precision, lineItems }: ToDeclare, into: Into): LineAmounts[] | null {
  if (currency === into.to) return lineItems.map((line) => (precision === CENTS ? earlierSubtotalOf(line, CENTS) : paidInCents(line, precision)));
  const converted = converterOf(currency, into);
  if (converted === null) return null;
  return lineItems
    .map((line) => withinGross({ ...line, price: converted(line.price), discount: converted(line.discount) }))
    .map((line) => earlierSubtotalOf(line, CENTS));
}

// The customer paid whole euro; its VAT was declared to the cent.
function paidInCents(line: RecordLine, precision: number): LineAmounts {
  const paid = formatMoney(earlierSubtotalOf(line, precision).gross, precision);
  return earlierSubtotalOf({ quantity: '1', price: padDecimals(paid, CENTS), discount: '0', vatRate: line.vatRate }, CENTS);
}

// The price may have been rounded down and the discount up: a discount is never more than its line.
function withinGross(line: RecordLine): RecordLine {
  const gross = times(decimal(line.price), decimal(line.quantity));
  const wholeCents = gross.units / tenTo(gross.scale - CENTS);
  return { ...line, discount: formatMoney(smaller(exactMoney(line.discount, CENTS), wholeCents), CENTS) };
}
