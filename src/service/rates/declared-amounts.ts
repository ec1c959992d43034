import { z } from 'zod';
import { type Decimal, decimal, fixed, quotient } from '../../contract/decimal.ts';
import { convertFixed, exactMoney, formatMoney, isTied, LEVA_PER_EURO, sum, type TiedCurrency } from '../../contract/money.ts';
import type { RecordLine, TaxRecord } from '../../contract/record.ts';
import { splitVat, subtotalOf } from '../../contract/totals.ts';
import type { ExchangeRate } from './exchange-rate.ts';

/** The fields of an order that are used here. */
type ToDeclare = Pick<TaxRecord, 'currency' | 'precision' | 'lineItems'>;

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

/** The fixed rate, 1 EUR = 1.95583 BGN, from the base of a rate to the other of the two currencies. */
const FROM_BASE: Record<TiedCurrency, { multiply: string; divide: string }> = {
  EUR: { multiply: LEVA_PER_EURO, divide: '1' },
  BGN: { multiply: '1', divide: LEVA_PER_EURO },
};

/**
 * An amount (decimal text, any number of decimals) of the rate's currency in EUR or BGN, decimal text with two decimals: exact, then rounded once, half
 * up (away from zero). Crosses the fixed rate if the sheet's base is the other one.
 */
export function convert(amount: string, rate: ExchangeRate, to: TiedCurrency): string {
  const { multiply, divide } = to === rate.base ? { multiply: '1', divide: '1' } : FROM_BASE[rate.base];
  const above = product(amount, rate.multiply, multiply);
  const below = product(rate.divide, divide);
  return fixed(quotient(above, below, CENTS), CENTS);
}

/** An amount in EUR or BGN in the other of the two, by the fixed rate, half up; two decimals at most in, two out. */
export function convertTied(amount: string, from: TiedCurrency, to: TiedCurrency): string {
  return formatMoney(convertFixed(exactMoney(amount, CENTS), from, to), CENTS);
}

/** A function that converts prices of a currency one by one; null if the daily rate is needed and not known. */
export function converterOf(currency: string, { to, rate }: { to: TiedCurrency; rate: ExchangeRate | null }): ((amount: string) => string) | null {
  if (isTied(currency)) return (amount) => convertTied(amount, currency, to);
  if (rate === null) return null;
  if (rate.currency !== currency) throw new RangeError(`a rate of ${rate.currency} does not convert ${currency}`);
  return (amount) => convert(amount, rate, to);
}

function product(...factors: string[]): Decimal {
  return factors.map(decimal).reduce((all, factor) => all.times(factor));
}

/** What was paid of one VAT rate (percent), and the VAT in it: decimal text with two decimals. */
export const rateAmounts = z.object({ rate: z.string(), total: z.string(), vat: z.string() });
export type RateAmounts = z.output<typeof rateAmounts>;

/** The sums of lines by their rates, the highest first. */
export function byRateOf(lines: readonly { vatRate: string }[], amounts: readonly { gross: bigint; vat: bigint }[]): RateAmounts[] {
  const rated = lines.map(({ vatRate }, i) => ({ rate: vatRate, ...(amounts[i] ?? { gross: 0n, vat: 0n }) }));
  return inOrder(
    [...Map.groupBy(rated, ({ rate }) => rate)].map(([rate, same]) => ({
      rate,
      total: formatMoney(sum(same.map(({ gross }) => gross)), CENTS),
      vat: formatMoney(sum(same.map(({ vat }) => vat)), CENTS),
    })),
  );
}

/** What is less of each rate; of one that has grown it is negative. Rates without a difference are left out. */
export function lessByRate(before: readonly RateAmounts[], after: readonly RateAmounts[]): RateAmounts[] {
  const rates = [...new Set([...before, ...after].map(({ rate }) => rate))];
  const of = (all: readonly RateAmounts[], rate: string, field: 'total' | 'vat'): bigint =>
    sum(all.filter((one) => one.rate === rate).map((one) => exactMoney(one[field], CENTS)));
  const less = rates.map((rate) => ({
    rate,
    total: of(before, rate, 'total') - of(after, rate, 'total'),
    vat: of(before, rate, 'vat') - of(after, rate, 'vat'),
  }));
  return inOrder(
    less
      .filter(({ total, vat }) => total !== 0n || vat !== 0n)
      .map(({ rate, total, vat }) => ({ rate, total: formatMoney(total, CENTS), vat: formatMoney(vat, CENTS) })),
  );
}

/** The total of all rates, in cents. */
export function totalOfRates(rates: readonly RateAmounts[]): bigint {
  return sum(rates.map(({ total }) => exactMoney(total, CENTS)));
}

function inOrder(rates: readonly RateAmounts[]): RateAmounts[] {
  return rates.toSorted((a, b) => Number(b.rate) - Number(a.rate));
}
