import { negative, type TiedCurrency } from '../../../contract/money.ts';
import { BYTE_ORDER_MARK, csvRow, dayCell, numberCell, textCell } from '../../../platform/csv-cell.ts';
import { paymentWords, returnWords } from '../../law/audit-codes.ts';
import type { ExchangeRate } from '../../rates/exchange-rate.ts';
import type { AuditArticle, AuditOrder, AuditRefund, MonthReturn } from '../audit-file.ts';
import { type AuditColumns, articleColumns, columnsOf, orderColumns, returnColumns } from '../format/audit-columns.ts';
import { type PartOfReturn, partsOfReturn } from './returned-amounts.ts';

/** An order of the file, with its total in the order's own currency (with VAT), if that is another one. */
export type CsvOrder = AuditOrder & { foreign: { total: string; rate: ExchangeRate } | null };

/** A VAT rate of money given back. */
type GivenLine = { given: MonthReturn; part: PartOfReturn; opens: boolean };
/** A VAT rate of money given back within the month: once as the sale, once as the credit, so that a column still adds up to the month. */
type RefundLine = { refund: AuditRefund; part: PartOfReturn; side: 'sale' | 'credit' };

/** Of an order: the same in the rows of all its articles (`order`), in the first one alone, so that a column adds up to the month (`sum`), or of a row. */
type Cells = {
  order?: (order: CsvOrder) => string;
  sum?: (order: CsvOrder) => string;
  article?: (article: AuditArticle) => string;
  given?: (line: GivenLine) => string;
  refund?: (line: RefundLine) => string;
};
type CsvColumn = Cells & { place: number; label: string };

/** What the rows of money given back say in the columns of an order or an article. */
const otherRows: Readonly<Record<string, Cells>> = {
  ord_n: { given: ({ given }) => textCell(given.number), refund: ({ refund }) => textCell(refund.number ?? '') },
  ord_d: { refund: ({ refund }) => dayCell(refund.orderedOn) },
  doc_n: { refund: ({ refund }) => textCell(refund.documentNumber) },
  doc_date: { refund: ({ refund }) => dayCell(refund.documentedOn) },
  paym: { refund: ({ refund }) => String(refund.payment) },
  art_vat_rate: { refund: ({ part }) => known(part.rate) },
  art_vat: { refund: signed(({ vat }) => vat) },
  art_sum: { refund: signed(({ total }) => total) },
  ord_total1: { refund: signed(({ net }) => net) },
  ord_vat: { refund: signed(({ vat }) => vat) },
  ord_total2: { refund: signed(({ total }) => total) },
  r_date: { refund: ofCredit(({ returnedOn }) => dayCell(returnedOn)) },
  r_paym: { given: ({ given }) => textCell(returnWords(given.way)), refund: ofCredit(({ way }) => textCell(returnWords(way))) },
};

/** The columns that the audit file has, too. */
function described(columns: AuditColumns, cellsFor: (cell: (row: Readonly<Record<string, unknown>>) => string, isAmount: boolean) => Cells): CsvColumn[] {
  return columnsOf(columns).flatMap(([element, { field, kind, csv }]) => {
    if (csv === null) return [];
    const [place, label] = csv;
    const write = kind.type === 'xs:date' ? dayCell : kind.isAmount === true ? numberCell : textCell;
    const cell = (row: Readonly<Record<string, unknown>>) => write(String(row[field] ?? ''));
    return [{ place, label, ...cellsFor(cell, kind.isAmount === true), ...otherRows[element] }];
  });
}

const CURRENCY_PLACE = 30;

const inAnyOrder: readonly CsvColumn[] = [
  ...described(orderColumns, (cell, isAmount) => (isAmount ? { sum: cell } : { order: cell })),
  ...described(articleColumns, (cell) => ({ article: cell })),
  ...described(returnColumns, (cell, isAmount) => ({ given: ({ given, opens }) => (opens || !isAmount ? cell(given) : '') })),
  { place: 0, label: 'Вид', order: () => 'продажба', given: () => 'връщане', refund: ({ side }) => REFUND_KINDS[side] },
  { place: 6, label: 'Плащане', order: ({ payment }) => paymentCell(payment), refund: ({ refund }) => paymentCell(refund.payment) },
  { place: 20, label: 'Чужда валута', order: ofRate(({ rate }) => textCell(rate.currency)) },
  { place: 21, label: 'Поръчка с ДДС в чуждата валута', sum: ({ foreign }) => (foreign === null ? '' : numberCell(foreign.total)) },
  { place: 22, label: 'Курс: единици чужда валута', order: ofRate(({ rate }) => numberCell(rate.divide)) },
  { place: 23, label: 'Курс: за толкова от основната', order: ofRate(({ rate }) => numberCell(rate.multiply)) },
  { place: 24, label: 'Курс: основна валута', order: ofRate(({ rate }) => rate.base) },
  { place: 25, label: 'Курс от дата', order: ofRate(({ rate }) => dayCell(rate.publishedOn)) },
  { place: 26, label: 'Източник на курса', order: ofRate(({ rate }) => rate.source) },
  { place: CURRENCY_PLACE, label: 'Валута' },
  { place: 31, label: 'Върнато: ставка на ДДС, %', given: ({ part }) => known(part.rate) },
  { place: 32, label: 'Върнато без ДДС', given: ({ part }) => known(part.net) },
  { place: 33, label: 'Върнат ДДС', given: ({ part }) => known(part.vat) },
  { place: 34, label: 'Върнато с ДДС', given: ({ part }) => known(part.total) },
];

const columns = inAnyOrder.toSorted((a, b) => a.place - b.place);

const paymentCells = new Map<number, string>();

function paymentCell(code: number): string {
  const cell = paymentCells.get(code) ?? textCell(paymentWords(code));
  paymentCells.set(code, cell);
  return cell;
}

const REFUND_KINDS = { sale: 'продажба, върната в месеца', credit: 'връщане в месеца' };

/** The beginning of the file: its mark and the row of labels. As Excel opens it in Bulgaria: semicolons, decimal commas. */
export function csvHead(): string {
  return BYTE_ORDER_MARK + csvRow(columns.map(({ label }) => label));
}

/** The places of the columns of an order in a row, by what they say. Every month has many rows, so what is the same in them is written once. */
const sumColumns = columns.flatMap(({ sum }, place) => (sum === undefined ? [] : [{ place, cell: sum }]));
const articleCells = columns.flatMap(({ article }, place) => (article === undefined ? [] : [{ place, cell: article }]));

/** The rows of an order, one per article. */
export function csvOrder(order: CsvOrder, currency: TiedCurrency): string {
  const cells = cellsOf((column) => column.order?.(order) ?? '', currency);
  for (const { place, cell } of sumColumns) cells[place] = cell(order);
  let rows = '';
  for (const article of order.articles) {
    for (const { place, cell } of articleCells) cells[place] = cell(article);
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
export function csvRefund(refund: AuditRefund, currency: TiedCurrency): string {
  const parts = partsOfReturn(refund);
  const of = (side: RefundLine['side']) => parts.map((part) => row((column) => column.refund?.({ refund, part, side }) ?? '', currency));
  return [...of('sale'), ...of('credit')].join('');
}

function row(cell: (column: CsvColumn) => string, currency: string): string {
  return csvRow(cellsOf(cell, currency));
}

function cellsOf(cell: (column: CsvColumn) => string, currency: string): string[] {
  return columns.map((column) => (column.place === CURRENCY_PLACE ? currency : cell(column)));
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

function ofCredit(cell: (refund: AuditRefund) => string): (line: RefundLine) => string {
  return ({ refund, side }) => (side === 'credit' ? cell(refund) : '');
}

function known(amount: string | null): string {
  return amount === null ? '' : numberCell(amount);
}
