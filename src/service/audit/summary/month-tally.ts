import { exactMoney, formatMoney } from '../../../contract/money.ts';
import type { AuditOrder, AuditSums, MonthReturn } from '../audit-file.ts';
import { AuditTally } from '../format/audit-tally.ts';
import { type ReturnsByRate, returnsByRate } from './returned-amounts.ts';
import { summaryLimits } from './summary-page.ts';

/** An order in the list of the summary. */
export type OrderRow = Pick<AuditOrder, 'number' | 'orderedOn' | 'documentNumber' | 'documentedOn' | 'net' | 'discount' | 'vat' | 'total' | 'payment'>;

/** The articles of one VAT rate, after discount: `net` + `vat` is `total`. */
type RateSums = { rate: number; net: string; vat: string; total: string };
/** `payment` is `paym` of the audit file. */
type PaymentSums = { payment: number; orders: number; total: string };
/** The orders whose document has the same day. */
type DaySums = { day: string; orders: number; vat: string; total: string };

/** The totals of a month. `list` is null for a month of more orders than a summary lists; then it shows the days. */
export type MonthFigures = AuditSums & {
  /** How many of the orders have no amount yet, because their exchange rate is missing: they are in no sum. Absent: none. */
  withoutRate?: number;
  discount: string;
  byRate: readonly RateSums[];
  byPayment: readonly PaymentSums[];
  byDay: readonly DaySums[];
  list: readonly OrderRow[] | null;
  /** What was given back, by rate. */
  returnsByRate: ReturnsByRate;
};

type Sums = { count: number; net: bigint; vat: bigint; total: bigint };

/** Adds up a month's orders while they are streamed, in bounded memory. Throws RangeError for money that is not in cents. */
export class MonthTally {
  readonly #sums = new AuditTally();
  #discount = 0n;
  readonly #byRate = new Map<number, Sums>();
  readonly #byPayment = new Map<number, Sums>();
  readonly #byDay = new Map<string, Sums>();
  readonly #list: OrderRow[] = [];
  readonly #returns: MonthReturn[] = [];

  add(order: AuditOrder): void {
    const money = { net: cents(order.net), vat: cents(order.vat), total: cents(order.total) };
    this.#sums.order(order);
    this.#discount += cents(order.discount);
    add(entry(this.#byPayment, order.payment), money);
    add(entry(this.#byDay, order.documentedOn), money);
    for (const { vatRate, vat, sum } of order.articles) {
      add(entry(this.#byRate, vatRate), { vat: cents(vat), total: cents(sum), net: cents(sum) - cents(vat) });
    }
    if (this.#list.length <= summaryLimits.orders) this.#list.push(rowOf(order));
  }

  addReturn(given: MonthReturn): void {
    this.#sums.return(given);
    this.#returns.push(given);
  }

  figures(): MonthFigures {
    return {
      ...this.#sums.sums(),
      discount: formatMoney(this.#discount, 2),
      byRate: sorted(this.#byRate).map(([rate, sums]) => ({ rate, ...shown(sums) })),
      byPayment: sorted(this.#byPayment).map(([payment, { count, total }]) => ({ payment, orders: count, total: formatMoney(total, 2) })),
      byDay: sorted(this.#byDay).map(([day, { count, vat, total }]) => ({ day, orders: count, vat: formatMoney(vat, 2), total: formatMoney(total, 2) })),
      list: this.#list.length <= summaryLimits.orders ? [...this.#list] : null,
      returnsByRate: returnsByRate(this.#returns),
    };
  }
}

function rowOf({ number, orderedOn, documentNumber, documentedOn, net, discount, vat, total, payment }: AuditOrder): OrderRow {
  return { number, orderedOn, documentNumber, documentedOn, net, discount, vat, total, payment };
}

function nothing(): Sums {
  return { count: 0, net: 0n, vat: 0n, total: 0n };
}

function entry<Key>(sums: Map<Key, Sums>, key: Key): Sums {
  const known = sums.get(key);
  if (known !== undefined) return known;
  const fresh = nothing();
  sums.set(key, fresh);
  return fresh;
}

function add(sums: Sums, { net, vat, total }: Omit<Sums, 'count'>): void {
  sums.count += 1;
  sums.net += net;
  sums.vat += vat;
  sums.total += total;
}

function shown({ net, vat, total }: Sums): { net: string; vat: string; total: string } {
  return { net: formatMoney(net, 2), vat: formatMoney(vat, 2), total: formatMoney(total, 2) };
}

function sorted<Key extends number | string>(sums: Map<Key, Sums>): [Key, Sums][] {
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function cents(amount: string): bigint {
  return exactMoney(amount, 2);
}
