import type { TiedCurrency } from '../../../contract/money.ts';
import type { ExchangeRate } from '../../rates/exchange-rate.ts';
import type { AuditArticle, AuditOrder, MonthReturn, Refund } from '../audit-file.ts';
import { paymentWords, returnWords } from './code-words.ts';
import { csvRow, dayCell, numberCell, textCell } from './csv-cell.ts';
import { type PartOfReturn, partsOfReturn } from './parts-of-return.ts';

/** An order of the file, with its total in the order's own currency (with VAT), if that is another one. */
export type CsvOrder = AuditOrder & { foreign: { total: string; rate: ExchangeRate } | null };

/** An article of an order. `opens`: the order's first row, the only one with its sums, so that a column adds up to the month. */
type ArticleLine = { order: CsvOrder; article: AuditArticle; opens: boolean };
/** A VAT rate of money given back. */
type GivenLine = { given: MonthReturn; part: PartOfReturn; opens: boolean };
/** A VAT rate of money given back within the month: once as the sale, once as the credit, so that a column still adds up to the month. */
type RefundLine = { refund: Refund; part: PartOfReturn; side: 'sale' | 'credit' };

type CsvColumn = {
  label: string;
  article?: (line: ArticleLine) => string;
  given?: (line: GivenLine) => string;
  refund?: (line: RefundLine) => string;
};

const columns: readonly CsvColumn[] = [
  { label: 'Вид', article: () => 'продажба', given: () => 'връщане', refund: ({ side }) => REFUND_KINDS[side] },
  {
    label: 'Поръчка №',
    article: ({ order }) => textCell(order.number),
    given: ({ given }) => textCell(given.number),
    refund: ({ refund }) => textCell(refund.number ?? ''),
  },
  { label: 'Дата на поръчката', article: ({ order }) => dayCell(order.orderedOn), refund: ({ refund }) => dayCell(refund.orderedOn) },
  { label: 'Документ №', article: ({ order }) => textCell(order.documentNumber), refund: ({ refund }) => textCell(refund.documentNumber) },
  { label: 'Дата на документа', article: ({ order }) => dayCell(order.documentedOn), refund: ({ refund }) => dayCell(refund.documentedOn) },
  { label: 'Плащане, код', article: ({ order }) => String(order.payment), refund: ({ refund }) => String(refund.payment) },
  { label: 'Плащане', article: ({ order }) => textCell(paymentWords(order.payment)), refund: ({ refund }) => textCell(paymentWords(refund.payment)) },
  { label: 'Виртуален ПОС №', article: ({ order }) => textCell(order.posNumber ?? '') },
  { label: 'Транзакция №', article: ({ order }) => textCell(order.transaction ?? '') },
  { label: 'Доставчик на платежни услуги', article: ({ order }) => textCell(order.processor ?? '') },
  { label: 'Стока или услуга', article: ({ article }) => textCell(article.name) },
  { label: 'Количество', article: ({ article }) => numberCell(article.quantity) },
  { label: 'Единична цена без ДДС', article: ({ article }) => numberCell(article.price) },
  { label: 'Ставка на ДДС, %', article: ({ article }) => numberCell(String(article.vatRate)), refund: ({ part }) => known(part.rate) },
  { label: 'ДДС на реда', article: ({ article }) => numberCell(article.vat), refund: signed(({ vat }) => vat) },
  { label: 'Сума на реда с ДДС', article: ({ article }) => numberCell(article.sum), refund: signed(({ total }) => total) },
  { label: 'Поръчка без ДДС преди отстъпка', article: ofOrder(({ net }) => numberCell(net)), refund: signed(({ net }) => net) },
  { label: 'Отстъпка без ДДС', article: ofOrder(({ discount }) => numberCell(discount)) },
  { label: 'ДДС на поръчката', article: ofOrder(({ vat }) => numberCell(vat)), refund: signed(({ vat }) => vat) },
  { label: 'Поръчка с ДДС', article: ofOrder(({ total }) => numberCell(total)), refund: signed(({ total }) => total) },
  { label: 'Чужда валута', article: ofRate(({ rate }) => textCell(rate.currency)) },
  { label: 'Поръчка с ДДС в чуждата валута', article: ofOrder(({ foreign }) => (foreign === null ? '' : numberCell(foreign.total))) },
  { label: 'Курс: единици чужда валута', article: ofRate(({ rate }) => numberCell(rate.divide)) },
  { label: 'Курс: за толкова от основната', article: ofRate(({ rate }) => numberCell(rate.multiply)) },
  { label: 'Курс: основна валута', article: ofRate(({ rate }) => rate.base) },
  { label: 'Курс от дата', article: ofRate(({ rate }) => dayCell(rate.publishedOn)) },
  { label: 'Източник на курса', article: ofRate(({ rate }) => rate.source) },
  { label: 'Върната сума с ДДС', given: ({ given, opens }) => (opens ? numberCell(given.amount) : '') },
  { label: 'Върната на', given: ({ given }) => dayCell(given.returnedOn), refund: ofCredit(({ returnedOn }) => dayCell(returnedOn)) },
  { label: 'Начин на връщане', given: ({ given }) => textCell(returnWords(given.way)), refund: ofCredit(({ way }) => textCell(returnWords(way))) },
];

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

/** The rows of an order, one per article. */
export function csvOrder(order: CsvOrder, currency: TiedCurrency): string {
  return order.articles.map((article, i) => row((column) => column.article?.({ order, article, opens: i === 0 }) ?? '', currency)).join('');
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
  return csvRow([...columns.map(cell), currency, ...lateColumns.map(cell)]);
}

function ofOrder(cell: (order: CsvOrder) => string): (line: ArticleLine) => string {
  return ({ order, opens }) => (opens ? cell(order) : '');
}

function ofRate(cell: (foreign: NonNullable<CsvOrder['foreign']>) => string): (line: ArticleLine) => string {
  return ({ order }) => (order.foreign === null ? '' : cell(order.foreign));
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
