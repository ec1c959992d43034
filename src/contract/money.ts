import { type Decimal, decimal, quotient } from './decimal.ts';
import { ownValue } from './own-value.ts';

/**
 * The last day ("2026-01-31") on which one could still pay in a currency that the euro replaced: the end of dual circulation, as the European Central
 * Bank and the European Commission give it (ecb.europa.eu, “Our money”; Закон за въвеждане на еврото в Република България, чл. 5: one month from 01.01.2026).
 */
export const endedCurrencies: Readonly<Record<string, string>> = {
  BGN: '2026-01-31',
  HRK: '2023-01-14',
  LTL: '2015-01-15',
  LVL: '2014-01-14',
  EEK: '2011-01-14',
  SKK: '2009-01-16',
  ...Object.fromEntries(['CYP', 'MTL'].map((code) => [code, '2008-01-31'])),
  SIT: '2007-01-14',
  ...Object.fromEntries(['ATS', 'BEF', 'DEM', 'ESP', 'FIM', 'FRF', 'GRD', 'IEP', 'ITL', 'LUF', 'NLG', 'PTE'].map((code) => [code, '2002-02-28'])),
};

/** The last day of a currency that had ended when an order was made (ISO 8601; without an offset it is Bulgarian time); null if it had not. */
export function endedBy(currency: string, madeAt: string): string | null {
  const lastDay = ownValue(endedCurrencies, currency);
  if (lastDay === undefined) return null;
  // All of them ended in winter, when Bulgarian time is two hours ahead of UTC.
  const hasEnded = /(Z|[+-]\d{2}:?\d{2})$/.test(madeAt) ? Date.parse(madeAt) >= Date.parse(`${lastDay}T22:00:00Z`) : madeAt.slice(0, 10) > lastDay;
  return hasEnded ? lastDay : null;
}

/** Inside, money is a bigint of minor units (cents); outside, it is decimal text. No float is involved. */

// ISO 4217: every active currency that does not have two decimals.
const UNUSUAL_DECIMALS: ReadonlyMap<string, number> = new Map([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'].map((code) => [code, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((code) => [code, 3] as const),
  ...['CLF', 'UYW'].map((code) => [code, 4] as const),
]);

/** How many decimals a currency has (ISO 4217 code, upper case); 2 unless listed otherwise. */
export function decimalsOf(currency: string): number {
  return UNUSUAL_DECIMALS.get(currency) ?? 2;
}

const DECIMAL_TEXT = /^-?\d+(?:\.\d+)?$/;

/** "24.00" → 2400n. Zeros beyond the precision are accepted; undefined for text that would be rounded or is no plain decimal. */
export function parseMoney(text: string, decimals: number): bigint | undefined {
  return shortMoney(text, decimals) ?? parseDecimal(text, decimals);
}

const [ZERO, NINE] = [48, 57];
/** Minor units of so few digits are whole numbers without a bigint, and fast. */
const FEW_DIGITS = 15;

/** Text with a point, not negative, without more decimals, and of few digits, as nearly all amounts are; undefined for any other. */
function shortMoney(text: string, decimals: number): bigint | undefined {
  const point = text.indexOf('.');
  const finer = decimals - (text.length - 1 - point);
  if (point < 1 || finer < 0 || finer === decimals || point + decimals > FEW_DIGITS) return undefined;
  let minor = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (i === point) continue;
    const digit = text.charCodeAt(i);
    if (digit < ZERO || digit > NINE) return undefined;
    minor = minor * 10 + digit - ZERO;
  }
  for (let missing = finer; missing > 0; missing -= 1) minor *= 10;
  return BigInt(minor);
}

function parseDecimal(text: string, decimals: number): bigint | undefined {
  if (!DECIMAL_TEXT.test(text)) return undefined;
  const point = text.indexOf('.');
  if (point < 0) return BigInt(text + '0'.repeat(decimals));
  const end = point + 1 + decimals;
  if (end < text.length && /[^0]/.test(text.slice(end))) return undefined;
  return BigInt(text.slice(0, point) + text.slice(point + 1, end).padEnd(decimals, '0'));
}

/** Like `parseMoney`, for text that was checked before: throws RangeError. */
export function exactMoney(text: string, decimals: number): bigint {
  const minor = parseMoney(text, decimals);
  if (minor === undefined) throw new RangeError(`"${text}" is not an amount with ${decimals} decimals`);
  return minor;
}

/** In minor units, rounded halves away from zero. */
export function minorOf(value: Decimal, decimals: number): bigint {
  return exactMoney(value.toFixed(decimals), decimals);
}

const LARGE = 10n ** BigInt(FEW_DIGITS);

/** 2400n → "24.00", -39n → "-0.39". */
export function formatMoney(minor: bigint, decimals: number): string {
  if (decimals === 2 && minor >= 0n && minor < LARGE) {
    const cents = Number(minor);
    return `${Math.floor(cents / 100)}.${Math.floor(cents / 10) % 10}${cents % 10}`;
  }
  const digits = absolute(minor)
    .toString()
    .padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  return `${minor < 0n ? '-' : ''}${whole}${decimals > 0 ? `.${fraction}` : ''}`;
}

/** "24.00 EUR", for messages. */
export function moneyText(minor: bigint, currency: string): string {
  return `${formatMoney(minor, decimalsOf(currency))} ${currency}`;
}

/**
 * Splits an amount in proportion to weights, none of them negative, by largest remainder: the parts sum to the amount exactly, and no part is above
 * its weight unless the amount is above their sum. Throws RangeError if the weights are zero and the amount is not.
 */
export function shareOut<Item>(amount: bigint, items: readonly Item[], weightOf: (item: Item) => bigint): { item: Item; part: bigint }[] {
  if (amount === 0n) return items.map((item) => ({ item, part: 0n }));
  const whole = sum(items.map(weightOf));
  if (amount < 0n || whole <= 0n) throw new RangeError(`cannot split ${amount} over weights that sum to ${whole}`);
  const shares = items.map((item, index) => ({ item, index, part: (amount * weightOf(item)) / whole, remainder: (amount * weightOf(item)) % whole }));
  const short = amount - sum(shares.map(({ part }) => part));
  const rounded = shares.toSorted((a, b) => Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder)).slice(0, Number(short));
  const up = new Set(rounded.map(({ index }) => index));
  return shares.map(({ item, index, part }) => ({ item, part: up.has(index) ? part + 1n : part }));
}

/** The two currencies with a fixed rate: 1 EUR = 1.95583 BGN. */
export type TiedCurrency = 'EUR' | 'BGN';

export function isTied(currency: string): currency is TiedCurrency {
  return currency === 'EUR' || currency === 'BGN';
}

/** Leva to the euro, fixed by law; never shortened, never inverted (Регламент (ЕС) на Съвета от 8 юли 2025 г.; Закон за въвеждане на еврото). */
export const LEVA_PER_EURO = '1.95583';

const FIXED = decimal(LEVA_PER_EURO);

/** Minor units of one tied currency in the other, half up, by the unrounded rate. */
export function convertFixed(minor: bigint, from: TiedCurrency, to: TiedCurrency): bigint {
  if (from === to) return minor;
  return minorOf(to === 'BGN' ? decimal(minor).times(FIXED) : quotient(decimal(minor), FIXED, 0), 0);
}

/** Integer division by a positive divisor, halves away from zero. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  const magnitude = (2n * absolute(dividend) + divisor) / (2n * divisor);
  return dividend < 0n ? -magnitude : magnitude;
}

/** Integer division of non-negative numbers, rounded up. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function absolute(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}

/** Decimal text with the other sign. */
export function negative(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}
