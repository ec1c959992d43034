import type { TiedCurrency } from '../../../contract/money.ts';
import { csvRow, dayCell, numberCell, textCell } from '../../../platform/csv-cell.ts';
import type { ExchangeRate } from '../../rates/exchange-rate.ts';
import type { AuditArticle, AuditOrder, MonthReturn, Refund } from '../audit-file.ts';
import { paymentWords, returnWords } from './code-words.ts';
import { type PartOfReturn, partsOfReturn } from './month-tally.ts';

/** An order of the file, with its total in the order's own currency (with VAT), if that is another one. */
export type CsvOrder = AuditOrder & { foreign: { total: string; rate: ExchangeRate } | null };

/** A VAT rate of money given back. */
type GivenLine = { given: MonthReturn; part: PartOfReturn; opens: boolean };
/** A VAT rate of money given back within the month: once as the sale, once as the credit, so that a column still adds up to the month. */
type RefundLine = { refund: Refund; part: PartOfReturn; side: 'sale' | 'credit' };

/** Of an order: the same in the rows of all its articles (`order`), in the first one alone, so that a column adds up to the month (`sum`), or of a row. */
type CsvColumn = {
  label: string;
  order?: (order: CsvOrder) => string;
  sum?: (order: CsvOrder) => string;
  article?: (article: AuditArticle) => string;
  given?: (line: GivenLine) => string;
  refund?: (line: RefundLine) => string;
};

const columns: readonly CsvColumn[] = [
  { label: 'Вид', order: () => 'продажба', given: () => 'връщане', refund: ({ side }) => REFUND_KINDS[side] },
  {
    label: 'Поръчка №',
    order: ({ number }) => textCell(number),
    given: ({ given }) => textCell(given.number),
    refund: ({ refund }) => textCell(refund.number ?? ''),
  },
  { label: 'Дата на поръчката', order: ({ orderedOn }) => dayCell(orderedOn), refund: ({ refund }) => dayCell(refund.orderedOn) },
  { label: 'Документ №', order: ({ documentNumber }) => textCell(documentNumber), refund: ({ refund }) => textCell(refund.documentNumber) },
  { label: 'Дата на документа', order: ({ documentedOn }) => dayCell(documentedOn), refund: ({ refund }) => dayCell(refund.documentedOn) },
  { label: 'Плащане, код', order: ({ payment }) => String(payment), refund: ({ refund }) => String(refund.payment) },
  { label: 'Плащане', order: ({ payment }) => paymentCell(payment), refund: ({ refund }) => paymentCell(refund.payment) },
  { label: 'Виртуален ПОС №', order: ({ posNumber }) => textCell(posNumber ?? '') },
  { label: 'Транзакция №', order: ({ transaction }) => textCell(transaction ?? '') },
  { label: 'Доставчик на платежни услуги', order: ({ processor }) => textCell(processor ?? '') },
  { label: 'Стока или услуга', article: ({ name }) => textCell(name) },
  { label: 'Количество', article: ({ quantity }) => numberCell(quantity) },
  { label: 'Единична цена без ДДС', article: ({ price }) => numberCell(price) },
  { label: 'Ставка на ДДС, %', article: ({ vatRate }) => numberCell(String(vatRate)), refund: ({ part }) => known(part.rate) },
  { label: 'ДДС на реда', article: ({ vat }) => numberCell(vat), refund: signed(({ vat }) => vat) },
  { label: 'Сума на реда с ДДС', article: ({ sum }) => numberCell(sum), refund: signed(({ total }) => total) },
  { label: 'Поръчка без ДДС преди отстъпка', sum: ({ net }) => numberCell(net), refund: signed(({ net }) => net) },
  { label: 'Отстъпка без ДДС', sum: ({ discount }) => numberCell(discount) },
  { label: 'ДДС на поръчката', sum: ({ vat }) => numberCell(vat), refund: signed(({ vat }) => vat) },
  { label: 'Поръчка с ДДС', sum: ({ total }) => numberCell(total), refund: signed(({ total }) => total) },
  { label: 'Чужда валута', order: ofRate(({ rate }) => textCell(rate.currency)) },
  { label: 'Поръчка с ДДС в чуждата валута', sum: ({ foreign }) => (foreign === null ? '' : numberCell(foreign.total)) },
  { label: 'Курс: единици чужда валута', order: ofRate(({ rate }) => numberCell(rate.divide)) },
  { label: 'Курс: за толкова от основната', order: ofRate(({ rate }) => numberCell(rate.multiply)) },
  { label: 'Курс: основна валута', order: ofRate(({ rate }) => rate.base) },
  { label: 'Курс от дата', order: ofRate(({ rate }) => dayCell(rate.publishedOn)) },
  { label: 'Източник на курса', order: ofRate(({ rate }) => rate.source) },
  { label: 'Върната сума с ДДС', given: ({ given, opens }) => (opens ? numberCell(given.amount) : '') },
  { label: 'Върната на', given: ({ given }) => dayCell(given.returnedOn), refund: ofCredit(({ returnedOn }) => dayCell(returnedOn)) },
  { label: 'Начин на връщане', given: ({ given }) => textCell(returnWords(given.way)), refund: ofCredit(({ way }) => textCell(returnWords(way))) },
];

const paymentCells = new Map<number, string>();

function paymentCell(code: number): string {
  const known = paymentCells.get(code) ?? textCell(paymentWords(code));
  paymentCells.set(code, known);
  return known;
}

const REFUND_KINDS = { sale: 'продажба, върната в месеца', credit: 'връщане в месеца' };
const CURRENCY = 'Валута';

/** Behind the currency, so that the columns before it stay where they were. */
const lateColumns: readonly CsvColumn[] = [
  { label: 'Върнато: ставка на ДДС, %', given: ({ part }) => known(part.rate) },
  { label: 'Върнато без ДДС', given: ({ part }) => known(part.net) },
  { label: 'Върнат ДДС', given: ({ part }) => known(part.vat) },
  { label: 'Върнато с ДДС', given: ({ part }) => known(part.total) },
];

/** A byte order mark for Excel, which otherwise reads UTF-8 as windows-1251. */
export const BYTE_ORDER_MARK = '\ufeff';

/** The beginning of the file: its mark and the row of labels. As Excel opens it in Bulgaria: semicolons, decimal commas. */
export function csvHead(): string {
  return BYTE_ORDER_MARK + row((column) => column.label, CURRENCY);
}

/** The places of the columns of an order in a row, by what they say. Every month has many rows, so what is the same in them is written once. */
const sumColumns = columns.flatMap(({ sum }, place) => (sum === undefined ? [] : [{ place, cell: sum }]));
const articleColumns = columns.flatMap(({ article }, place) => (article === undefined ? [] : [{ place, cell: article }]));

/** The rows of an order, one per article. */
export function csvOrder(order: CsvOrder, currency: TiedCurrency): string {
  const cells = cellsOf((column) => column.order?.(order) ?? '', currency);
  for (const { place, cell } of sumColumns) cells[place] = cell(order);
  let rows = '';
  for (const article of order.articles) {
    for (const { place, cell } of articleColumns) cells[place] = cell(article);
    rows += csvRow(cells);
    if (article === order.articles[0]) for (const { place } of sumColumns) cells[place] = '';
  }
  return rows;
}

/** The rows of money given back for a sale of an earlier file, one per VAT rate; the first has the amount. */
export function csvReturn(given: MonthReturn, currency: TiedCurrency): string {
  const parts = partsOfReturn(given);
  return parts.map((part, i) => row((column) => column.given?.({ given, part, opens: i === 0 }) ?? '', currency)).join('');
}

/** The rows of money given back within the month: the sale that the file leaves out, and its credit, one per VAT rate each. */
export function csvRefund(refund: Refund, currency: TiedCurrency): string {
  const parts = partsOfReturn(refund);
  const of = (side: RefundLine['side']) => parts.map((part) => row((column) => column.refund?.({ refund, part, side }) ?? '', currency));
  return [...of('sale'), ...of('credit')].join('');
}

function row(cell: (column: CsvColumn) => string, currency: string): string {
  return csvRow(cellsOf(cell, currency));
}

function cellsOf(cell: (column: CsvColumn) => string, currency: string): string[] {
  return [...columns.map(cell), currency, ...lateColumns.map(cell)];
}

function ofRate(cell: (foreign: NonNullable<CsvOrder['foreign']>) => string): (order: CsvOrder) => string {
  return ({ foreign }) => (foreign === null ? '' : cell(foreign));
}

function signed(amount: (part: PartOfReturn) => string | null): (line: RefundLine) => string {
  return ({ part, side }) => {
    const value = amount(part);
    return known(value === null || side === 'sale' ? value : negative(value));
  };
}

function ofCredit(cell: (refund: Refund) => string): (line: RefundLine) => string {
  return ({ refund, side }) => (side === 'credit' ? cell(refund) : '');
}

function known(amount: string | null): string {
  return amount === null ? '' : numberCell(amount);
}

function negative(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}
