import { decimalsOf, parseMoney } from '../../contract/money.ts';

/** Decimal text in minor units of the currency; zero for what can't be read, which proves nothing and is reported with the lines. */
export function minorOrZero(amount: string, currency: string): bigint {
  return parseMoney(amount, decimalsOf(currency)) ?? 0n;
}
