import { NO_BREAK } from './no-break.ts';

/** The most digits on either side of the point that Intl keeps: it would round more decimals, and write ∞ for 309 digits. */
const MOST_DIGITS = 100;
const DECIMAL_TEXT = new RegExp(`^-?\\d{1,${MOST_DIGITS}}(?:\\.\\d{1,${MOST_DIGITS}})?$`);
const MINUS = '−';

/**
 * Decimal text in Bulgarian notation, digit for digit: ("12345.5", 2) is "12 345,50", four digits are not grouped. Decimals are padded to
 * `decimals`; zeros beyond them are dropped. Throws RangeError for what is not decimal text.
 */
export function numberText(decimal: string, decimals = 0): string {
  if (!isDecimalText(decimal)) throw new RangeError(`"${decimal}" is not decimal text`);
  return formatWith(decimals).format(decimal).replace('-', MINUS);
}

/** An amount with two decimals at least, for columns that name no currency. */
export function amountText(amount: string): string {
  return numberText(amount, 2);
}

/** ("20") is "20 %". */
export function percentText(percent: string): string {
  return `${numberText(percent)}${NO_BREAK}%`;
}

// Intl reads decimal text digit by digit; any other text it would convert to a float.
function isDecimalText(text: string): text is `${number}` {
  return DECIMAL_TEXT.test(text);
}

const formats = new Map<number, Intl.NumberFormat>();

function formatWith(decimals: number): Intl.NumberFormat {
  const made = formats.get(decimals);
  if (made !== undefined) return made;
  const format = new Intl.NumberFormat('bg-BG', { minimumFractionDigits: decimals, maximumFractionDigits: MOST_DIGITS, signDisplay: 'negative' });
  formats.set(decimals, format);
  return format;
}
