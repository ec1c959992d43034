import { decimalsIn } from '../../../contract/decimal.ts';
import { amountText, dayText, numberText, percentText, sumText } from '../../../contract/local-text.ts';
import { exactMoney, formatMoney, negative, sum } from '../../../contract/money.ts';
import { counted } from '../../../contract/plural.ts';
import { paymentWords, returnWords } from '../../law/audit-codes.ts';
import { numeric, shorten, table, text, words } from './blocks.ts';
import type { ForeignOrder, MonthSummary, OrderChange } from './month-summary.ts';
import type { MonthFigures, OrderRow } from './month-tally.ts';
import { ordersInWords } from './outstanding-words.ts';
import { partsOfReturn, type ReturnsByRate, vatOfReturn } from './returned-amounts.ts';
import type { Block, Section, SummaryColumn } from './summary-page.ts';

const changeWords: Readonly<Record<OrderChange['change'], string>> = { added: 'Добавена', removed: 'Премахната', replaced: 'Заменена' };

/** The further lists of a month: only those that are not empty. */
export function listSections(summary: MonthSummary, limit: number): readonly Section[] {
  return [
    ...returnsSection(summary, limit),
    ...changesSection(summary, limit),
    ...leftOutSection(summary),
    ...foreignSection(summary, limit),
    ...voidedSection(summary, limit),
  ];
}

function changesSection({ changes, situation }: MonthSummary, limit: number): readonly Section[] {
  const orders = changes.rows.filter((row) => row.change !== 'header');
  const count = changes.count - (changes.rows.length - orders.length);
  if (count === 0) return [];
  const { shown, rest } = shorten({ count, rows: orders }, limit);
  const advice =
    situation.kind === 'filed'
      ? 'Подаденият файл не ги съдържа: попитайте счетоводителя си дали и как да ги отразите.'
      : 'Преди подаване изгответе нова версия.';
  const rows = table({
    columns: [text('Документ №'), text('Поръчка №'), text('Промяна'), numeric('Общо с ДДС')],
    rows: shown,
    cells: ({ documentNumber, number, change, total }) => [documentNumber, number ?? '–', changeWords[change], total === null ? '–' : amountText(total)],
  });
  return [
    {
      title: 'Промени след последната версия',
      tone: 'action',
      blocks: [words(`Тези поръчки са променени след изготвянето на файла. ${advice}`), rows, ...rest],
    },
  ];
}

function leftOutSection({ leftOut, currency }: MonthSummary): readonly Section[] {
  if (leftOut.orders === 0) return [];
  const lead = `По настройка на магазина във файла не са включени ${ordersInWords(leftOut, currency)}, за които няма документ за продажба.`;
  const caution = 'Наредба Н-18 не прави разлика според начина на плащане; уверете се със счетоводителя си, че това е правилно за вашия магазин.';
  return [{ title: 'Поръчки извън файла', tone: 'action', blocks: [words(`${lead} ${caution}`)] }];
}

function foreignSection({ foreign, currency }: MonthSummary, limit: number): readonly Section[] {
  if (foreign.count === 0) return [];
  const { shown, rest } = shorten(foreign, limit);
  const rows = table({
    columns: [text('Поръчка №'), numeric('В чужда валута'), numeric('Курс'), text('Курс от'), numeric(currency === 'EUR' ? 'В евро' : 'В левове')],
    rows: shown,
    cells: (order) => [order.number, foreignTotal(order), rateText(order), dayText(order.rate.publishedOn), amountText(order.accountingTotal)],
  });
  const lead = words('Преизчислени са по курса на Българската народна банка (БНБ) за деня на поръчката, всяка цена поотделно.');
  return [{ title: 'Поръчки в чужда валута', tone: 'quiet', blocks: [lead, rows, ...rest] }];
}

function foreignTotal({ total, rate }: ForeignOrder): string {
  return sumText(total, rate.currency, 'bg');
}

/** As the bank publishes it: "1 EUR = 1,0834 USD" since 2026, "100 JPY = 1,16214 BGN" before. */
function rateText({ rate: { currency, base, multiply, divide } }: ForeignOrder): string {
  return multiply === '1' ? `1 ${base} = ${rateNumber(divide)} ${currency}` : `${rateNumber(divide)} ${currency} = ${rateNumber(multiply)} ${base}`;
}

/** With trailing zeros. */
function rateNumber(rate: string): string {
  return numberText(rate, decimalsIn(rate));
}

function voidedSection({ voided }: MonthSummary, limit: number): readonly Section[] {
  if (voided.count === 0) return [];
  const { shown, rest } = shorten(voided, limit);
  const rows = table({
    columns: [text('Документ №'), text('Анулиран на')],
    rows: shown,
    cells: ({ documentNumber, voidedOn }) => [documentNumber, dayText(voidedOn)],
  });
  const lead = words('Номера на документи по изтрити поръчки. Те не се дават повторно, затова липсват в поредицата.');
  return [{ title: 'Анулирани номера', tone: 'quiet', blocks: [lead, rows, ...rest] }];
}

/** Money given back for sales of earlier files, and by VAT rate, as the ledger of VAT needs it. None for a month without returns. */
function returnsSection({ returns, figures }: MonthSummary, limit: number): readonly Section[] {
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
  const which = counted.bg(count, 'връщане', 'връщания');
  return [words(`За ${which} на обща стойност ${amountText(total)} ДДС по ставки не е известен. Вижте документите им.`)];
}

function vatOfAll({ rates, unknown }: ReturnsByRate): string | null {
  if (unknown.count > 0) return null;
  return formatMoney(sum(rates.map(({ vat }) => exactMoney(vat, 2))), 2);
}

function known(amount: string | null): string {
  return amount === null ? '–' : amountText(amount);
}

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
  return { title: 'По ставка на ДДС', tone: 'quiet', blocks: [...lead, sumsByRate(figures)] };
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

function sumsByRate({ byRate: rates }: MonthFigures): Block {
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

function columnsOf({ net, discount, vat, total }: MonthFigures): readonly { column: SummaryColumn; cell: (order: OrderRow) => string; sum: string }[] {
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
