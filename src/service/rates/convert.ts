import { type Decimal, decimal, fixed, quotient } from '../../contract/decimal.ts';
import { LEVA_PER_EURO } from '../../contract/fixed-rate.ts';
import { convertFixed, exactMoney, formatMoney, isTied, type TiedCurrency } from '../../contract/money.ts';
import type { ExchangeRate } from './exchange-rate.ts';

const CENTS = 2;
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
