/** Decimal text with its point moved right (`places` above 0) or left: ("25.5", -2) is "0.255". Digits only, no float is involved. */
export function shiftPoint(value: string, places: number): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
  if (parts === null) throw new RangeError(`"${value}" is not decimal text`);
  const [, sign = '', whole = '', fraction = ''] = parts;
  const point = whole.length + places;
  const digits = `${'0'.repeat(Math.max(0, -point))}${whole}${fraction}`.padEnd(point, '0');
  const at = Math.max(0, point);
  return `${sign}${assemble(digits.slice(0, at), digits.slice(at))}`;
}

function assemble(whole: string, fraction: string): string {
  const head = whole.replace(/^0+(?=\d)/, '') || '0';
  const tail = fraction.replace(/0+$/, '');
  return tail === '' ? head : `${head}.${tail}`;
}

/** The shortest decimal text of a JSON number; null if it takes an exponent, so that it is far outside every limit of the interface. */
export function numberText(value: number): string | null {
  const shown = String(value);
  return /^-?\d+(\.\d+)?$/.test(shown) ? shown : null;
}

/** How many digits stand after the point. */
export function decimalsOf(value: string): number {
  return value.split('.')[1]?.length ?? 0;
}

/** Decimal text with at least this many digits after the point: ("12.9", 2) is "12.90". */
export function padDecimals(value: string, decimals: number): string {
  const [whole = '0', fraction = ''] = value.split('.');
  const padded = fraction.padEnd(decimals, '0');
  return padded === '' ? whole : `${whole}.${padded}`;
}
