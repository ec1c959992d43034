import { decimalsOf, exactMoney, formatMoney, sum } from '../../contract/money.ts';
import type { TaxRecord } from '../../contract/record.ts';
import type { OrderTotals } from '../../contract/totals.ts';
import { groupLetter } from '../law/vat-rates.ts';

/** The sales of one tax group at one rate, after discounts. `group` is its letter, `rate` percent, the rest decimal text. */
export type VatGroupSum = { group: string; rate: string; net: string; vat: string; gross: string };

/** The order's sums per tax group, by letter; together they add up to the order's. */
export function vatByGroup({ lineItems, precision, currency }: TaxRecord, { lines }: OrderTotals): VatGroupSum[] {
  // VAT may have more decimals than the order's precision.
  const decimals = Math.max(precision, decimalsOf(currency));
  const minor = (text: string | undefined) => exactMoney(text ?? '', decimals);
  const rows = lineItems.map(({ vatGroup, vatRate }, i) => ({
    group: groupLetter(vatGroup) ?? vatGroup,
    rate: vatRate,
    vat: minor(lines[i]?.subtotalVat),
    gross: minor(lines[i]?.subtotal),
  }));
  const together = Map.groupBy(rows, ({ group, rate }) => `${group} ${rate}`);
  const sums = [...together.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    const vat = sum(members.map((member) => member.vat));
    const gross = sum(members.map((member) => member.gross));
    const text = (amount: bigint) => formatMoney(amount, decimals);
    return [{ group: first.group, rate: first.rate, net: text(gross - vat), vat: text(vat), gross: text(gross) }];
  });
  return sums.toSorted((a, b) => a.group.localeCompare(b.group, 'bg') || Number(b.rate) - Number(a.rate));
}
