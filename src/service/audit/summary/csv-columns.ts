import type { TiedCurrency } from '../../../contract/money.ts';
import type { ExchangeRate } from '../../rates/exchange-rate.ts';
import type { AuditArticle, AuditOrder, AuditReturn } from '../audit-file.ts';
import { paymentWords, returnWords } from './code-words.ts';
import { csvRow, dayCell, numberCell, textCell } from './csv-cell.ts';

/** An order of the file, with its total in the order's own currency (with VAT), if that is another one. */
export type CsvOrder = AuditOrder & { foreign: { total: string; rate: ExchangeRate } | null };

/** The source of one row. `opens`: the order's first row, the only one with its sums, so that a column adds up to the month. */
type CsvLine =
  | { kind: 'article'; order: CsvOrder; article: AuditArticle; opens: boolean; currency: TiedCurrency }
  | { kind: 'return'; given: AuditReturn; currency: TiedCurrency };

type ArticleLine = Extract<CsvLine, { kind: 'article' }>;
type CsvColumn = { label: string; article: (line: ArticleLine) => string; given?: (given: AuditReturn) => string };

const columns: readonly CsvColumn[] = [
  { label: 'Вид', article: () => 'продажба', given: () => 'връщане' },
  { label: 'Поръчка №', article: ({ order }) => textCell(order.number), given: ({ number }) => textCell(number) },
  { label: 'Дата на поръчката', article: ({ order }) => dayCell(order.orderedOn) },
  { label: 'Документ №', article: ({ order }) => textCell(order.documentNumber) },
  { label: 'Дата на документа', article: ({ order }) => dayCell(order.documentedOn) },
  { label: 'Плащане, код', article: ({ order }) => String(order.payment) },
  { label: 'Плащане', article: ({ order }) => textCell(paymentWords(order.payment)) },
  { label: 'Виртуален ПОС №', article: ({ order }) => textCell(order.posNumber ?? '') },
  { label: 'Транзакция №', article: ({ order }) => textCell(order.transaction ?? '') },
  { label: 'Доставчик на платежни услуги', article: ({ order }) => textCell(order.processor ?? '') },
  { label: 'Стока или услуга', article: ({ article }) => textCell(article.name) },
  { label: 'Количество', article: ({ article }) => numberCell(article.quantity) },
  { label: 'Единична цена без ДДС', article: ({ article }) => numberCell(article.price) },
  { label: 'Ставка на ДДС, %', article: ({ article }) => numberCell(String(article.vatRate)) },
  { label: 'ДДС на реда', article: ({ article }) => numberCell(article.vat) },
  { label: 'Сума на реда с ДДС', article: ({ article }) => numberCell(article.sum) },
  { label: 'Поръчка без ДДС преди отстъпка', article: ofOrder(({ net }) => numberCell(net)) },
  { label: 'Отстъпка без ДДС', article: ofOrder(({ discount }) => numberCell(discount)) },
  { label: 'ДДС на поръчката', article: ofOrder(({ vat }) => numberCell(vat)) },
  { label: 'Поръчка с ДДС', article: ofOrder(({ total }) => numberCell(total)) },
  { label: 'Чужда валута', article: ofRate(({ rate }) => textCell(rate.currency)) },
  { label: 'Поръчка с ДДС в чуждата валута', article: ofOrder(({ foreign }) => (foreign === null ? '' : numberCell(foreign.total))) },
  { label: 'Курс: единици чужда валута', article: ofRate(({ rate }) => numberCell(rate.divide)) },
  { label: 'Курс: за толкова от основната', article: ofRate(({ rate }) => numberCell(rate.multiply)) },
  { label: 'Курс: основна валута', article: ofRate(({ rate }) => rate.base) },
  { label: 'Курс от дата', article: ofRate(({ rate }) => dayCell(rate.publishedOn)) },
  { label: 'Източник на курса', article: ofRate(({ rate }) => rate.source) },
  { label: 'Върната сума с ДДС', article: () => '', given: ({ amount }) => numberCell(amount) },
  { label: 'Върната на', article: () => '', given: ({ returnedOn }) => dayCell(returnedOn) },
  { label: 'Начин на връщане', article: () => '', given: ({ way }) => textCell(returnWords(way)) },
];

const CURRENCY = 'Валута';

/** A byte order mark for Excel, which otherwise reads UTF-8 as windows-1251. */
const BYTE_ORDER_MARK = '\ufeff';

/** The beginning of the file: its mark and the row of labels. As Excel opens it in Bulgaria: semicolons, decimal commas. */
export function csvHead(): string {
  return BYTE_ORDER_MARK + csvRow([...columns.map(({ label }) => label), CURRENCY]);
}

/** The rows of an order, one per article. */
export function csvOrder(order: CsvOrder, currency: TiedCurrency): string {
  return order.articles.map((article, i) => csvLine({ kind: 'article', order, article, opens: i === 0, currency })).join('');
}

/** The row of money given back. */
export function csvReturn(given: AuditReturn, currency: TiedCurrency): string {
  return csvLine({ kind: 'return', given, currency });
}

function csvLine(line: CsvLine): string {
  return csvRow([...columns.map((column) => (line.kind === 'article' ? column.article(line) : (column.given?.(line.given) ?? ''))), line.currency]);
}

function ofOrder(cell: (order: CsvOrder) => string): CsvColumn['article'] {
  return ({ order, opens }) => (opens ? cell(order) : '');
}

function ofRate(cell: (foreign: NonNullable<CsvOrder['foreign']>) => string): CsvColumn['article'] {
  return ({ order }) => (order.foreign === null ? '' : cell(order.foreign));
}
