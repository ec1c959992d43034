import { numberText } from '../../../contract/decimal-text.ts';
import { limits } from '../../../contract/limits.ts';
import { divideHalfUp, parseMoney } from '../../../contract/money.ts';
import type { RecordLine } from '../../../contract/record.ts';

/** What a line comes to, in cents, after its discount: `gross` with VAT, `vat` in it, `net` the rest; `quantity` in thousandths. */
export type LineAmounts = { quantity: bigint; gross: bigint; vat: bigint; net: bigint };

type AmountsOf = Pick<RecordLine, 'price' | 'discount' | 'quantity' | 'vatRate'>;

const THOUSAND = 1000n;
const HUNDRED_PERCENT = 10_000n;

/**
 * The subtotals of `domain/totals` in cents: a month has too many lines for arbitrary precision. Gross is rounded at `precision`, 2 at most.
 * Throws RangeError.
 */
export function lineAmounts({ price, discount, quantity, vatRate }: AmountsOf, precision: number): LineAmounts {
  const count = exact(numberText(quantity) ?? '', limits.quantityDecimals);
  const thousandths = exact(price, 2) * count - exact(discount, 2) * THOUSAND;
  const rate = exact(vatRate, 2);
  const unit = 10n ** BigInt(2 - precision);
  const gross = divideHalfUp(thousandths, THOUSAND * unit) * unit;
  // Of an order in whole euro VAT is that of what was paid, to the cent.
  const taxed = unit === 1n ? thousandths : gross * THOUSAND;
  const vat = divideHalfUp(taxed * rate, THOUSAND * (HUNDRED_PERCENT + rate));
  return { quantity: count, gross, vat, net: gross - vat };
}

function exact(text: string, decimals: number): bigint {
  const value = parseMoney(text, decimals);
  if (value === undefined) throw new RangeError(`"${text}" does not have ${decimals} decimals at most`);
  return value;
}
