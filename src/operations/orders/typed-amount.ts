const CURRENCY = /^(?:[a-z]{3}|[€$£])\s*|\s*(?:[a-z]{3}|[€$£]|лв\.?)$/giu;
const BLANKS = /[\s\u00a0\u202f]/gu;
const DECIMAL = /^\d{1,15}(?:\.\d{1,4})?$/;

/** Decimal text of an amount as people type it: "36.00", "36,00 EUR", "1 234,50 лв." Null: it is none. */
export function typedAmount(typed: string): string | null {
  const bare = typed.trim().replace(CURRENCY, '').replace(BLANKS, '');
  const [comma, point] = [bare.lastIndexOf(','), bare.lastIndexOf('.')];
  const decimal = comma > point ? bare.replaceAll('.', '').replace(',', '.') : bare.replaceAll(',', '');
  return DECIMAL.test(decimal) ? decimal : null;
}
