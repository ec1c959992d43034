import { exactMoney, formatMoney, sum } from '../../../contract/money.ts';
import { dayText } from '../../bulgarian/day-text.ts';
import { amountText, percentText } from '../../bulgarian/number-text.ts';
import { numeric, shorten, table, text, words } from './blocks.ts';
import { returnWords } from './code-words.ts';
import { counted } from './counted.ts';
import type { MonthSummary } from './month-summary.ts';
import type { ReturnsByRate } from './month-tally.ts';
import { partsOfReturn, vatOfReturn } from './parts-of-return.ts';
import type { Block, Section } from './summary-page.ts';

/** Money given back for sales of earlier files, and by VAT rate, as the ledger of VAT needs it. None for a month without returns. */
export function returnsSection({ returns, figures }: MonthSummary, limit: number): readonly Section[] {
  if (returns.count === 0) return [];
  const { shown, rest } = shorten(returns, limit);
  const rows = table({
    columns: [text('Поръчка №'), text('Върната на'), text('Начин'), numeric('Сума с ДДС'), numeric('В т.ч. ДДС')],
    rows: shown,
    cells: (row) => [row.number, dayText(row.returnedOn), returnWords(row.way), amountText(row.amount), known(vatOfReturn(row))],
    foot: ['Общо', '', '', amountText(figures.returned), known(vatOfAll(figures.returnsByRate))],
  });
  const lead = words('Върнатите през месеца суми по поръчки от предишни файлове.');
  return [{ title: 'Върнати суми', tone: 'quiet', blocks: [lead, rows, ...rest, ...byRate(figures.returnsByRate)] }];
}

function byRate({ rates, unknown }: ReturnsByRate): readonly Block[] {
  const rows = rates.flatMap(({ rate, total, vat }) => partsOfReturn({ amount: total, byRate: [{ rate, total, vat }] }));
  const sums = table({
    columns: [text('Ставка'), numeric('Основа'), numeric('ДДС'), numeric('Върнато с ДДС')],
    rows,
    cells: ({ rate, net, vat, total }) => [rate === null ? '–' : percentText(rate), known(net), known(vat), amountText(total)],
  });
  return [...(rows.length === 0 ? [] : [sums]), ...unknownWords(unknown)];
}

function unknownWords({ count, total }: ReturnsByRate['unknown']): readonly Block[] {
  if (count === 0) return [];
  const which = counted(count, 'връщане', 'връщания');
  return [words(`За ${which} на обща стойност ${amountText(total)} ДДС по ставки не е известен. Вижте документите им.`)];
}

function vatOfAll({ rates, unknown }: ReturnsByRate): string | null {
  if (unknown.count > 0) return null;
  return formatMoney(sum(rates.map(({ vat }) => exactMoney(vat, 2))), 2);
}

function known(amount: string | null): string {
  return amount === null ? '–' : amountText(amount);
}
