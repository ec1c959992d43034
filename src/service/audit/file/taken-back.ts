import { convertFixed, exactMoney, formatMoney, type TiedCurrency } from '../../../contract/money.ts';
import { lessByRate, type RateAmounts, totalOfRates } from '../../rates/by-rate.ts';

type Rates = readonly RateAmounts[] | null;

/** What was given back of each VAT rate: what was declared before, less what stands after. Null where one of them is not known, or is not the amount. */
export function takenBack({ before, after, amount }: { before: Rates; after: Rates; amount: bigint }): RateAmounts[] | null {
  if (before === null || after === null) return null;
  const back = lessByRate(before, after);
  return totalOfRates(back) === amount ? back : null;
}

/**
 * In another currency at the fixed rate. The parts add up to the converted sum: what rounding leaves over goes to the first, which has the highest rate.
 */
export function rateAmountsIn(rates: Rates, from: TiedCurrency, to: TiedCurrency): readonly RateAmounts[] | null {
  if (rates === null || from === to) return rates;
  const inCents = (amount: string) => convertFixed(exactMoney(amount, 2), from, to);
  const whole = convertFixed(totalOfRates(rates), from, to);
  const parts = rates.map(({ rate, total, vat }) => ({ rate, total: inCents(total), vat: inCents(vat) }));
  const over = whole - parts.reduce((all, { total }) => all + total, 0n);
  return parts.map(({ rate, total, vat }, i) => ({ rate, total: formatMoney(i === 0 ? total + over : total, 2), vat: formatMoney(vat, 2) }));
}
