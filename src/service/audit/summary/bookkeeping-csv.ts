import { exactMoney, formatMoney, type TiedCurrency } from '../../../contract/money.ts';
import { BYTE_ORDER_MARK, csvRow, dayCell, numberCell, textCell } from '../../../platform/csv-cell.ts';
import { paymentWords, returnWords } from '../../law/audit-codes.ts';
import type { AuditOrder, AuditRefund, MonthReturn } from '../audit-file.ts';
import { type PartOfReturn, partsOfReturn } from './returned-amounts.ts';

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

/** sale: the file lists it. refunded: a sale that it leaves out, given back within the month (refund). return: money given back for a sale of an earlier file. */
type Kind = 'sale' | 'refunded' | 'refund' | 'return';

type Key = { day: string; kind: Kind; payment: number | null; way: number | null; rate: string | null };

/**
 * The money of a day, a VAT rate (percent; null: not known) and a payment. `payment` and `way` are codes of the file. What was given back is below zero;
 * `net` and `vat` are null where the rate is not known. `orders`: those with goods of the rate.
 */
type BookkeepingRow = Key & { orders: number; net: string | null; vat: string | null; total: string };

type Sums = Key & { orders: number; vat: bigint; total: bigint };

const KINDS_OF_ROW: readonly Kind[] = ['sale', 'refunded', 'refund', 'return'];

/** Adds up a month for bookkeeping while it is streamed; its size is that of the days, rates and payments. */
export class BookkeepingTally {
  readonly #sums = new Map<string, Sums>();

  /** By the day of the document. */
  order({ documentedOn, payment, articles }: AuditOrder): void {
    const seen = new Set<number>();
    for (const { vatRate, vat, sum } of articles) {
      const sums = this.#at({ day: documentedOn, kind: 'sale', payment, way: null, rate: String(vatRate) });
      if (!seen.has(vatRate)) sums.orders += 1;
      seen.add(vatRate);
      sums.vat += exactMoney(vat, 2);
      sums.total += exactMoney(sum, 2);
    }
  }

  /** The sale by the day of its document, the credit by the day on which the money was given back. */
  refund(refund: AuditRefund): void {
    const { documentedOn, returnedOn, payment, way } = refund;
    for (const part of partsOfReturn(refund)) {
      this.#part({ day: documentedOn, kind: 'refunded', payment, way: null, rate: part.rate }, part, 1n);
      this.#part({ day: returnedOn, kind: 'refund', payment, way, rate: part.rate }, part, -1n);
    }
  }

  return(given: MonthReturn): void {
    for (const part of partsOfReturn(given)) this.#part({ day: given.returnedOn, kind: 'return', payment: null, way: given.way, rate: part.rate }, part, -1n);
  }

  /** By day, kind, payment, and rate. */
  rows(): BookkeepingRow[] {
    return [...this.#sums.values()].toSorted(inOrder).map(({ vat, total, ...row }) => ({
      ...row,
      net: row.rate === null ? null : formatMoney(total - vat, 2),
      vat: row.rate === null ? null : formatMoney(vat, 2),
      total: formatMoney(total, 2),
    }));
  }

  #part(key: Key, { vat, total }: PartOfReturn, sign: bigint): void {
    const sums = this.#at(key);
    sums.orders += 1;
    sums.vat += sign * exactMoney(vat ?? '0', 2);
    sums.total += sign * exactMoney(total, 2);
  }

  #at(key: Key): Sums {
    const { day, kind, payment, way, rate } = key;
    const name = `${day} ${kind} ${payment} ${way} ${rate}`;
    const known = this.#sums.get(name);
    if (known !== undefined) return known;
    const fresh = { ...key, orders: 0, vat: 0n, total: 0n };
    this.#sums.set(name, fresh);
    return fresh;
  }
}

function inOrder(a: Sums, b: Sums): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1;
  return (
    KINDS_OF_ROW.indexOf(a.kind) - KINDS_OF_ROW.indexOf(b.kind) ||
    byCode(a.payment, b.payment) ||
    byCode(a.way, b.way) ||
    Number(b.rate ?? -1) - Number(a.rate ?? -1)
  );
}

function byCode(a: number | null, b: number | null): number {
  return (a ?? 0) - (b ?? 0);
}
