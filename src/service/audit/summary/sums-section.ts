import { amountText, numberText, percentText } from '../../bulgarian/number-text.ts';
import { numeric, table, text, words } from './blocks.ts';
import { paymentWords } from './code-words.ts';
import type { MonthSummary } from './month-summary.ts';
import type { MonthFigures } from './month-tally.ts';
import type { Block, Section } from './summary-page.ts';

/** The totals of the month, and where known those by VAT rate and by payment method. None for a month without orders. */
export function sumsSections({ figures, currency }: MonthSummary): readonly Section[] {
  if (figures.orders === 0) return [];
  const unit = words(`Всички суми в справката са в ${currency === 'EUR' ? 'евро' : 'левове'}.`);
  return [
    { title: 'Суми за месеца', tone: 'quiet', blocks: [unit, inAll(figures)] },
    ...(figures.byRate.length === 0 ? [] : [rateSection(figures)]),
    ...(figures.byPayment.length === 0 ? [] : [paymentSection(figures)]),
  ];
}

function rateSection(figures: MonthFigures): Section {
  const lead = isDiscounted(figures) ? [words('Сумите са след отстъпките.')] : [];
  return { title: 'По ставка на ДДС', tone: 'quiet', blocks: [...lead, byRate(figures)] };
}

function paymentSection(figures: MonthFigures): Section {
  return { title: 'По начин на плащане', tone: 'quiet', blocks: [byPayment(figures)] };
}

function inAll(figures: MonthFigures): Block {
  const { net, discount, vat, total } = figures;
  const discounted = isDiscounted(figures);
  const rows: [string, string][] = [
    [discounted ? 'Стойност без ДДС преди отстъпки' : 'Стойност без ДДС', amountText(net)],
    ...(discounted ? [['Отстъпки без ДДС', amountText(negative(discount))] satisfies [string, string]] : []),
    ['ДДС', amountText(vat)],
  ];
  return table({ columns: [text('Сбор на поръчките'), numeric('Сума')], rows, cells: (row) => row, foot: ['Общо с ДДС', amountText(total)] });
}

function negative(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

function byRate({ byRate: rates }: MonthFigures): Block {
  return table({
    columns: [text('Ставка'), numeric('Основа'), numeric('ДДС'), numeric('Общо с ДДС')],
    rows: rates,
    cells: ({ rate, net, vat, total }) => [percentText(String(rate)), amountText(net), amountText(vat), amountText(total)],
  });
}

function byPayment({ byPayment: payments, orders, total }: MonthFigures): Block {
  return table({
    columns: [text('Начин на плащане'), numeric('Код'), numeric('Поръчки'), numeric('Общо с ДДС')],
    rows: payments,
    cells: (row) => [paymentWords(row.payment), String(row.payment), numberText(String(row.orders)), amountText(row.total)],
    foot: ['Общо', '', numberText(String(orders)), amountText(total)],
  });
}

function isDiscounted({ discount }: MonthFigures): boolean {
  return Number(discount) !== 0;
}
