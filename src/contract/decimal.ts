import { Decimal as Library } from 'decimal.js';

/** Digits on each side of the point. Limits of the interface and of storefronts' bodies are far below: 15, or 34 after two products. */
const MOST_DIGITS = 40;
const PLAIN = new RegExp(`^-?\\d{1,${MOST_DIGITS}}(?:\\.\\d{1,${MOST_DIGITS}})?$`);

/** The longest product has three factors (an amount, a rate and what the rate is divided by), and up to 10^10 of them are added up: no result is rounded. */
const Exact = Library.clone({
  precision: 3 * 2 * MOST_DIGITS + 10,
  rounding: Library.ROUND_HALF_UP,
  toExpNeg: -9e15,
  toExpPos: 9e15,
});

type Operand = Decimal | bigint;

/** What is used of the library's decimals. It is given no text, which it would also read with an exponent, in hexadecimal and as NaN: `decimal` checks it. */
export type Decimal = {
  plus(other: Operand): Decimal;
  minus(other: Operand): Decimal;
  times(other: Operand): Decimal;
  /** Only where the quotient has an end; else `quotient`. */
  div(other: Operand): Decimal;
  /** Without what is after the point. */
  divToInt(other: Operand): Decimal;
  abs(): Decimal;
  gt(other: Operand): boolean;
  lt(other: Operand): boolean;
  lte(other: Operand): boolean;
  isZero(): boolean;
  isNeg(): boolean;
  toNumber(): number;
  /** Halves away from zero, as all rounding here. */
  toDecimalPlaces(decimals: number): Decimal;
  toNearest(unit: Operand): Decimal;
  toFixed(decimals: number): string;
  /** Without zeros at its end: "12.9", "20". */
  toString(): string;
};

/** A JSON number is read as its shortest text. Throws RangeError on anything but a plain decimal, such as an exponent. */
export function decimal(value: string | number | bigint): Decimal {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return exact(value);
  if (!PLAIN.test(String(value))) throw new RangeError(`"${value}" is not decimal text`);
  return exact(value);
}

function exact(value: string | number | bigint): Decimal {
  return new Exact(value) as Decimal;
}

export const ZERO = decimal(0);

const UNITS = Array.from({ length: 19 }, (_, decimals) => exact(`1e-${decimals}`));

/** The smallest amount with so many decimals, 18 at most: 0.01 with two. */
export function unitOf(decimals: number): Decimal {
  const unit = UNITS[decimals];
  if (unit === undefined) throw new RangeError(`no amount has ${decimals} decimals`);
  return unit;
}

/** Rounded once, halves away from zero: `div` would round to the precision first. */
export function quotient(dividend: Decimal, divisor: Decimal, decimals: number): Decimal {
  return dividend.toNearest(divisor.times(unitOf(decimals))).div(divisor);
}

/** Text with exactly so many decimals, halves away from zero; nothing is "-0.00". */
export function fixed(value: Decimal, decimals: number): string {
  return (value.isNeg() ? value.toDecimalPlaces(decimals) : value).toFixed(decimals);
}

export function total(values: readonly Decimal[]): Decimal {
  return values.reduce((sum, value) => sum.plus(value), ZERO);
}

/** How many digits are after the point. */
export function decimalsIn(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}
