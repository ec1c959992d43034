import { LEVA_PER_EURO } from '../../contract/fixed-rate.ts';
import { convertFixed, divideHalfUp, formatMoney, isTied, parseMoney, type TiedCurrency } from '../../contract/money.ts';
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
  const above = times([amount, rate.multiply, multiply]);
  const below = times([rate.divide, divide]);
  const cents = divideHalfUp(above.digits * 10n ** BigInt(CENTS + below.decimals), below.digits * 10n ** BigInt(above.decimals));
  return formatMoney(cents, CENTS);
}

/** An amount in EUR or BGN in the other of the two, by the fixed rate, half up; two decimals at most in, two out. */
export function convertTied(amount: string, from: TiedCurrency, to: TiedCurrency): string {
  const cents = parseMoney(amount, CENTS);
  if (cents === undefined) throw new RangeError(`"${amount}" is not an amount with two decimals`);
  return formatMoney(convertFixed(cents, from, to), CENTS);
}

/** How prices of a currency are converted, each for itself; null if the daily rate is needed and not known. */
export function converterOf(currency: string, { to, rate }: { to: TiedCurrency; rate: ExchangeRate | null }): ((amount: string) => string) | null {
  if (isTied(currency)) return (amount) => convertTied(amount, currency, to);
  if (rate === null) return null;
  if (rate.currency !== currency) throw new RangeError(`a rate of ${rate.currency} does not convert ${currency}`);
  return (amount) => convert(amount, rate, to);
}

type Scaled = { digits: bigint; decimals: number };

function times(factors: readonly string[]): Scaled {
  return factors.map(scaled).reduce((a, b) => ({ digits: a.digits * b.digits, decimals: a.decimals + b.decimals }));
}

function scaled(text: string): Scaled {
  const decimals = text.split('.')[1]?.length ?? 0;
  const digits = parseMoney(text, decimals);
  if (digits === undefined) throw new RangeError(`"${text}" is not decimal text`);
  return { digits, decimals };
}
