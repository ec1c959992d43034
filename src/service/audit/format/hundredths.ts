import { formatMoney, parseMoney } from '../../../contract/money.ts';

/** An amount of a file in hundredths; null if it is absent or unreadable. */
export function hundredths(amount: string | null): bigint | null {
  return amount === null ? null : (parseMoney(amount, 2) ?? null);
}

/** 249600n → "24.96", 249650n → "24.965". */
export function tenThousandths(value: bigint): string {
  return formatMoney(value, 4).replace(/0{1,2}$/, '');
}

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
