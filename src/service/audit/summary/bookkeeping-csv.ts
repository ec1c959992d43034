import type { TiedCurrency } from '../../../contract/money.ts';
import { csvRow, dayCell, numberCell, textCell } from '../../../platform/csv-cell.ts';
import type { BookkeepingRow } from './bookkeeping-tally.ts';
import { paymentWords, returnWords } from './code-words.ts';
import { BYTE_ORDER_MARK } from './csv-columns.ts';

const KINDS: Readonly<Record<BookkeepingRow['kind'], string>> = {
  sale: 'продажба',
  refunded: 'продажба, върната в месеца',
  refund: 'връщане в месеца',
  return: 'връщане',
};

const LABELS = ['Ден', 'Вид', 'Плащане, код', 'Плащане', 'Начин на връщане', 'Ставка на ДДС, %', 'Поръчки', 'Основа', 'ДДС', 'С ДДС', 'Валута'];

/** The month by day, VAT rate and payment: as Excel opens it in Bulgaria, like the CSV of its orders. */
export function bookkeepingCsv(rows: readonly BookkeepingRow[], currency: TiedCurrency): string {
  return BYTE_ORDER_MARK + csvRow(LABELS) + rows.map((row) => csvRow([...cells(row), currency])).join('');
}

function cells({ day, kind, payment, way, rate, orders, net, vat, total }: BookkeepingRow): string[] {
  return [
    dayCell(day),
    KINDS[kind],
    payment === null ? '' : String(payment),
    payment === null ? '' : textCell(paymentWords(payment)),
    way === null ? '' : textCell(returnWords(way)),
    ...[rate, String(orders), net, vat, total].map((value) => (value === null ? '' : numberCell(value))),
  ];
}
