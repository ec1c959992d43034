import { decimal, rounded, tenTo } from '../../../contract/decimal.ts';
import { limits } from '../../../contract/limits.ts';
import type { RecordLine } from '../../../contract/record.ts';
import { subtotalOf, vatIn } from '../../../contract/totals.ts';

/** The amounts of a line in cents, after its discount: `gross` with VAT, `vat` in it, `net` the rest; `quantity` in thousandths. */
export type LineAmounts = { quantity: bigint; gross: bigint; vat: bigint; net: bigint };

type AmountsOf = Pick<RecordLine, 'price' | 'discount' | 'quantity' | 'vatRate'>;

const CENTS = 2;

/** The subtotals of a line by the documented rules. Gross is rounded at `precision`, 2 at most. Throws RangeError on text that is no plain decimal. */
export function lineAmounts(line: AmountsOf, precision: number): LineAmounts {
  const { gross, vat } = precision === CENTS ? subtotalOf(line, CENTS) : inCents(line, precision);
  return { quantity: rounded(decimal(line.quantity), limits.quantityDecimals), gross, vat, net: gross - vat };
}

// The VAT of an order in whole euro is computed from the amount paid, to the cent.
function inCents(line: AmountsOf, precision: number): { gross: bigint; vat: bigint } {
  const gross = subtotalOf(line, precision).gross * tenTo(CENTS - precision);
  return { gross, vat: vatIn({ units: gross, scale: CENTS }, decimal(line.vatRate), CENTS) };
}
