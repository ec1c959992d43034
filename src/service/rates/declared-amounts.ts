import { exactMoney, formatMoney, sum, type TiedCurrency } from '../../contract/money.ts';
import type { RecordLine, TaxRecord } from '../../contract/record.ts';
import { splitVat, subtotalOf } from '../../contract/totals.ts';
import { byRateOf, type RateAmounts } from './by-rate.ts';
import { converterOf } from './convert.ts';
import type { ExchangeRate } from './exchange-rate.ts';

/** The fields of an order that are used here. */
export type ToDeclare = Pick<TaxRecord, 'currency' | 'precision' | 'lineItems'>;

export type Into = {
  to: TiedCurrency;
  /** Not needed for EUR and BGN. */
  rate: ExchangeRate | null;
};

/** A line after its discount, in cents of the accounting currency: with VAT, and the VAT in it. */
export type LineAmounts = { gross: bigint; vat: bigint };

/** What an order is declared with: `lines` in its order; `total` and `vat` are decimal text with two decimals. */
export type DeclaredAmounts = { lines: readonly LineAmounts[]; total: string; vat: string; byRate: readonly RateAmounts[] };

const CENTS = 2;

/**
 * An order in its accounting currency. What was paid for each line is converted exactly and rounded once, half up, to the cent; the VAT is computed once
 * for each rate, to the cent whatever the order's precision, and split over the lines. Null if the exchange rate is needed and not known.
 */
export function declaredAmounts(order: ToDeclare, into: Into): DeclaredAmounts | null {
  const lines = linesInCents(order, into);
  if (lines === null) return null;
  const text = (cents: readonly bigint[]): string => formatMoney(sum(cents), CENTS);
  return { lines, total: text(lines.map(({ gross }) => gross)), vat: text(lines.map(({ vat }) => vat)), byRate: byRateOf(order.lineItems, lines) };
}

function linesInCents({ currency, precision, lineItems }: ToDeclare, into: Into): LineAmounts[] | null {
  const inCents = currency === into.to ? (minor: bigint) => minor * 10n ** BigInt(CENTS - precision) : converted(currency, precision, into);
  if (inCents === null) return null;
  const taxed = lineItems.map((line: RecordLine) => ({ gross: inCents(subtotalOf(line, precision)), vatRate: line.vatRate }));
  const vats = splitVat(taxed);
  return taxed.map(({ gross }, i) => ({ gross, vat: vats[i] ?? 0n }));
}

function converted(currency: string, precision: number, into: Into): ((minor: bigint) => bigint) | null {
  const convert = converterOf(currency, into);
  return convert === null ? null : (minor) => exactMoney(convert(formatMoney(minor, precision)), CENTS);
}
