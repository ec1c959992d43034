/** For Excel, which otherwise reads UTF-8 as windows-1251. */
export const BYTE_ORDER_MARK = '\ufeff';

/** Beginnings that a spreadsheet reads as a formula, wide forms and leading blanks included. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;
/** The same behind what another separator, or a reader that knows no quotes, takes for the end of a cell: quotes within a cell end nothing then. */
const INNER_FORMULA = /[=+\-@\uff1d\uff0b\uff0d\uff20](?<=[,;\t\r\n][\s\p{Cc}]*.)/gu;
const NEEDS_QUOTES = /[",;\r\n\t]|^\s|\s$/;

/** What either of them, or a cell in quotes, has: most texts have none of it. */
const SPECIAL = /[=+\-@\uff1d\uff0b\uff0d\uff20",;\r\n\t]|^\s|\s$/;

/** Text that people wrote, never a formula, whatever separates the cells: what would be one gets an apostrophe in front, as in spreadsheets. */
export function textCell(text: string): string {
  if (!SPECIAL.test(text)) return text;
  const inside = text.replace(INNER_FORMULA, "'$&");
  return quoted(FORMULA.test(text) ? `'${inside}` : inside);
}

/** Whose spreadsheets read it: Bulgarian ones take a decimal comma, and cells apart by semicolons. */
type Reader = 'en' | 'bg';

/** Decimal text as Excel reads it in Bulgaria: "1234.50" → "1234,50"; in English it stays. Throws RangeError for what is not decimal text. */
export function numberCell(decimal: string, reader: Reader = 'bg'): string {
  if (!/^-?\d+(\.\d+)?$/.test(decimal)) throw new RangeError(`"${decimal}" is not decimal text`);
  return reader === 'bg' ? decimal.replace('.', ',') : decimal;
}

/** "2026-10-31" → "31.10.2026", which Excel takes for a date in Bulgaria. */
export function dayCell(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return `${date}.${month}.${year}`;
}

/** A row with its line end (RFC 4180). */
export function csvRow(cells: readonly string[], reader: Reader = 'bg'): string {
  return `${cells.join(reader === 'bg' ? ';' : ',')}\r\n`;
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
