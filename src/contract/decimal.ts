import { divideHalfUp, formatMoney } from './money.ts';

/** A decimal of any length, exactly: `units` of 10^-scale. No float is involved. */
export type Decimal = { units: bigint; scale: number };

const PLAIN = /^-?\d+(?:\.\d+)?$/;
const POWERS = Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent));

/** "12.90" → 1290 hundredths; a JSON number as its shortest text. Throws RangeError on anything but a plain decimal, such as an exponent. */
export function decimal(value: number | string): Decimal {
  if (typeof value === 'string') return fromText(value);
  return Number.isSafeInteger(value) ? { units: BigInt(value), scale: 0 } : fromText(String(value));
}

function fromText(text: string): Decimal {
  if (!PLAIN.test(text)) throw new RangeError(`"${text}" is not decimal text`);
  const point = text.indexOf('.');
  if (point < 0) return { units: BigInt(text), scale: 0 };
  return { units: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 };
}

/** With all its decimals: 1290 hundredths → "12.90". */
export function decimalText({ units, scale }: Decimal): string {
  return formatMoney(units, scale);
}

/** Without trailing zeros: 1290 hundredths → "12.9", 2000 → "20". */
export function shortText(value: Decimal): string {
  const text = decimalText(value);
  return value.scale > 0 ? text.replace(/\.?0+$/, '') : text;
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

export function plus(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { units: a.units + b.units, scale: a.scale };
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

export function minus(a: Decimal, { units, scale }: Decimal): Decimal {
  return plus(a, { units: -units, scale });
}

/** In units of 10^-decimals, halves away from zero. */
export function rounded({ units, scale }: Decimal, decimals: number): bigint {
  if (scale === decimals) return units;
  return quotient(units, 1n, decimals - scale);
}

/** dividend × 10^power / divisor, rounded once, halves away from zero. */
export function quotient(dividend: bigint, divisor: bigint, power: number): bigint {
  if (power >= 0) return divideHalfUp(dividend * tenTo(power), divisor);
  return divideHalfUp(dividend, divisor * tenTo(-power));
}

export function tenTo(exponent: number): bigint {
  return POWERS[exponent] ?? 10n ** BigInt(exponent);
}

function unitsAt({ units, scale }: Decimal, finer: number): bigint {
  return finer === scale ? units : units * tenTo(finer - scale);
}
