import { exactMoney, formatMoney } from '../../../contract/money.ts';
import type { RateAmounts } from '../../rates/by-rate.ts';

/** What was given back of one VAT rate: decimal text. Only `total` is known where the rates are not. */
export type PartOfReturn = { rate: string | null; net: string | null; vat: string | null; total: string };

type Given = { amount: string; byRate: readonly RateAmounts[] | null };

/** Money given back by VAT rate: one part at least. */
export function partsOfReturn({ amount, byRate }: Given): PartOfReturn[] {
  if (byRate === null || byRate.length === 0) return [{ rate: null, net: null, vat: null, total: amount }];
  return byRate.map(({ rate, total, vat }) => ({ rate, net: netOf(total, vat), vat, total }));
}

/** The VAT of money given back; null where it is not known. */
export function vatOfReturn({ byRate }: Given): string | null {
  return byRate === null
    ? null
    : formatMoney(
        byRate.reduce((all, { vat }) => all + exactMoney(vat, 2), 0n),
        2,
      );
}

function netOf(total: string, vat: string): string {
  return formatMoney(exactMoney(total, 2) - exactMoney(vat, 2), 2);
}
