import { amountText, dayText, numberText, percentText } from '../../bulgarian/bulgarian-text.ts';
import { numeric, table, text, words } from './blocks.ts';
import { paymentWords } from './code-words.ts';
import type { MonthSummary } from './month-summary.ts';
import type { MonthFigures, OrderRow } from './month-tally.ts';
import type { Block, Column, Section } from './summary-page.ts';

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

type OrderColumn = { column: Column; cell: (order: OrderRow) => string; sum: string };

/** The month's orders one by one, or by days if there are too many. None if only the month's sums are known. */
export function ordersSections({ figures }: MonthSummary, limit: number): readonly Section[] {
  const { list, byDay: days } = figures;
  if (days.length === 0) return [];
  return [{ title: 'Поръчки', tone: 'quiet', blocks: list === null || list.length > limit ? byDay(figures) : oneByOne(figures, list) }];
}

function oneByOne(figures: MonthFigures, list: readonly OrderRow[]): readonly Block[] {
  const columns = columnsOf(figures);
  return [
    words('В колоната „Пл.“ е кодът на начина на плащане от таблицата по-горе.'),
    table({
      columns: columns.map(({ column }) => column),
      rows: list,
      cells: (order) => columns.map(({ cell }) => cell(order)),
      foot: columns.map(({ sum }) => sum),
    }),
  ];
}

function columnsOf({ net, discount, vat, total }: MonthFigures): readonly OrderColumn[] {
  const isDiscounted = Number(discount) !== 0;
  return [
    { column: text('Поръчка №'), cell: (order) => order.number, sum: 'Общо' },
    { column: text('Дата'), cell: (order) => dayText(order.orderedOn), sum: '' },
    { column: text('Документ №'), cell: (order) => order.documentNumber, sum: '' },
    { column: text('от дата'), cell: (order) => dayText(order.documentedOn), sum: '' },
    { column: numeric('Пл.'), cell: (order) => String(order.payment), sum: '' },
    { column: numeric('Без ДДС'), cell: (order) => amountText(order.net), sum: amountText(net) },
    ...(isDiscounted ? [{ column: numeric('Отстъпка'), cell: (order: OrderRow) => amountText(order.discount), sum: amountText(discount) }] : []),
    { column: numeric('ДДС'), cell: (order) => amountText(order.vat), sum: amountText(vat) },
    { column: numeric('Общо с ДДС'), cell: (order) => amountText(order.total), sum: amountText(total) },
  ];
}

function byDay({ byDay: days, orders, vat, total }: MonthFigures): readonly Block[] {
  return [
    words('Поръчките са събрани по дата на документа; една по една са в CSV файла, приложен към писмото.'),
    table({
      columns: [text('Дата'), numeric('Поръчки'), numeric('ДДС'), numeric('Общо с ДДС')],
      rows: days,
      cells: (row) => [dayText(row.day), numberText(String(row.orders)), amountText(row.vat), amountText(row.total)],
      foot: ['Общо', numberText(String(orders)), amountText(vat), amountText(total)],
    }),
  ];
}
