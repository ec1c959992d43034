import { decimal, tenTo, times } from '../../contract/decimal.ts';
import { padDecimals } from '../../contract/decimal-text.ts';
import { exactMoney, formatMoney, smaller, type TiedCurrency } from '../../contract/money.ts';
import type { RecordLine, TaxRecord } from '../../contract/record.ts';
import { totalsOf } from '../../contract/totals.ts';
import { converterOf } from './convert.ts';
import type { ExchangeRate } from './exchange-rate.ts';

/** The fields of an order that are used here. */
export type Declared = Pick<TaxRecord, 'currency' | 'precision' | 'lineItems'>;

/**
 * An order in its accounting currency. Price and discount of a line have two decimals; `precision` is the one that `totalsOf` computes its
 * sums with; `total` and `vat` (decimal text with two decimals) are those of the order.
 */
export type AccountingOrder = { lines: readonly RecordLine[]; precision: number; total: string; vat: string };

type Into = {
  to: TiedCurrency;
  /** Not needed for EUR and BGN. */
  rate: ExchangeRate | null;
  /** The order's own sums, if known: they are returned where nothing is converted. */
  totals?: { total: string; totalVat: string };
};

const CENTS = 2;

/**
 * Converts every price and every discount separately, as the documentation says, and sums up by the documented rules. An order in the accounting
 * currency keeps its amounts, precision and sums, except for VAT, which is declared to the cent. Null if the exchange rate is needed and not known.
 */
export function accountingLines(record: Declared, into: Into): AccountingOrder | null {
  const lines = linesIn(record, into);
  if (lines === null) return null;
  if (record.currency !== into.to) return { lines, precision: CENTS, ...sums(lines, CENTS) };
  if (record.precision < CENTS) return { lines, precision: record.precision, ...sumsInCents(record) };
  const { totals } = into;
  const own = totals === undefined ? sums(lines, CENTS) : { total: cents(totals.total), vat: cents(totals.totalVat) };
  return { lines, precision: CENTS, ...own };
}

// The customer paid whole euro; its VAT is declared to the cent, or it would not match the rate.
function sumsInCents({ lineItems, precision }: Declared): { total: string; vat: string } {
  const { lines } = totalsOf({ lines: lineItems, precision });
  const paid = lines.map(({ subtotal }, i) => ({ price: subtotal, quantity: '1', discount: '0', vatRate: lineItems[i]?.vatRate ?? '0' }));
  const { total, totalVat } = totalsOf({ lines: paid, precision: CENTS });
  return { total, vat: totalVat };
}

/** The lines alone, for callers that have the order's accounting sums already. */
export function linesIn({ currency, precision, lineItems }: Declared, { to, rate }: Pick<Into, 'to' | 'rate'>): readonly RecordLine[] | null {
  if (currency === to)
    return precision === CENTS ? lineItems : lineItems.map((line) => ({ ...line, price: cents(line.price), discount: cents(line.discount) }));
  const converted = converterOf(currency, { to, rate });
  if (converted === null) return null;
  return lineItems.map((line) => withinGross({ ...line, price: converted(line.price), discount: converted(line.discount) }));
}

function cents(amount: string): string {
  return padDecimals(amount, CENTS);
}

// The price may have been rounded down and the discount up: a discount is never more than its line.
function withinGross(line: RecordLine): RecordLine {
  const gross = times(decimal(line.price), decimal(line.quantity));
  const wholeCents = gross.units / tenTo(gross.scale - CENTS);
  return { ...line, discount: formatMoney(smaller(exactMoney(line.discount, CENTS), wholeCents), CENTS) };
}

function sums(lines: readonly RecordLine[], precision: number): { total: string; vat: string } {
  const { total, totalVat } = totalsOf({ lines, precision });
  return { total: cents(total), vat: cents(totalVat) };
}
