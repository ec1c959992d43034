import { formatMoney } from '../../../contract/money.ts';
import { isCompanyId, isShopNumber } from '../../../contract/shop-dto.ts';
import { addDays, lastDayOf, monthOf } from '../../law/calendar.ts';
import { deadlineOf } from '../../law/deadlines.ts';
import { documentNumberOf, orderRemarks, type Remark } from './audit-checks.ts';
import { absolute, hundredths } from './audit-tally.ts';
import { DOCUMENT_DIGITS } from './column-kinds.ts';
import { type FindingList, ownText } from './finding-list.ts';
import type { SeenHeader, SeenOrder, SeenReturn, SeenReturnSums } from './seen-audit.ts';

/** How long before the month an order of it may have been made or paid without a warning. */
const DAYS_BEFORE = 92;
/** How long after the month the document of an order of its last days may have been made without a warning. */
const DAYS_AFTER = 3;

/** An order that the file of a month ("2026-09") lists; `total` with VAT, decimal text, null if no longer known. */
export type ReportedOrder = { month: string; orderedOn: string | null; total: string | null };

/** Facts that are not in the file itself. Rules that need a missing one are not checked. */
export type RuleContext = {
  /** Orders in the files of all months by number, such as a Map. */
  reported?: { get(number: string): ReportedOrder | undefined };
  /** The gaps between the document numbers, if known; otherwise they are computed from the file. */
  gaps?: readonly Gap[];
  /** How many sales of the month can't be listed any more. */
  removedSales?: number;
};

/** The lines of an order in a file. */
type OrderPlace = { line?: number; articleLines?: readonly number[] };

/** The line of an element of the header. */
type ElementLines = { get(element: string): number | undefined };
const NOWHERE: ElementLines = new Map();

type Kept = {
  number: string | null;
  line: number | null;
  orderedOn: string | null;
  documentedOn: string | null;
  documentNumber: number | null;
  total: bigint | null;
};

/** Checks a file against the rules, order by order. Keeps the returns, and only numbers, days and total of an order. */
export class RuleCheck {
  readonly #findings: FindingList;
  readonly #context: RuleContext;
  readonly #orders: Kept[] = [];
  readonly #byNumber = new Map<string, Kept>();
  readonly #documents = new Map<number, Kept>();
  readonly #returns: { returned: SeenReturn; line: number | null }[] = [];
  /** A month has few days: each is kept once, not once an order. */
  readonly #days = new Map<string, string>();
  #month: string | null = null;

  constructor(findings: FindingList, context: RuleContext = {}) {
    this.#findings = findings;
    this.#context = context;
  }

  /** May come before or after the orders. */
  header(header: SeenHeader, lines: ElementLines = NOWHERE): void {
    this.#month = header.month;
    this.#reportElements([...identityRemarks(header), ...timeRemarks(header)], lines);
  }

  order(order: SeenOrder, { line, articleLines = [] }: OrderPlace = {}): void {
    const kept = this.#kept(order, line ?? null);
    for (const { article, ...remark } of orderRemarks(order))
      this.#report([remark], { order: order.number, line: (article === undefined ? undefined : articleLines[article]) ?? kept.line });
    this.#number(kept);
    this.#document(kept);
    this.#orders.push(kept);
  }

  return(returned: SeenReturn, line: number | null = null): void {
    this.#returns.push({ returned: { ...returned, number: returned.number === null ? null : ownText(returned.number) }, line });
  }

  /** To be called at the end; `written` are the sums that the file names. */
  end(written: SeenReturnSums, lines: ElementLines = NOWHERE): void {
    if (this.#orders.length === 0) this.#findings.add('file.no-orders', { words: 'there is no order in the file' });
    if (this.#month !== null) this.#outOfMonth(this.#month);
    const { gaps, removedSales = 0 } = this.#context;
    if (removedSales > 0) this.#findings.add('file.sales-removed', { words: `${removedSales} deleted orders of the month can’t be listed any more` });
    for (const gap of gaps ?? numberGaps([...this.#documents.keys()])) this.#findings.add('file.document-number-gap', { words: gapWords(gap) });
    this.#reportElements(returnSumRemarks(written, this.#returned()), lines);
  }

  #kept({ number, orderedOn, documentedOn, documentNumber, total }: SeenOrder, line: number | null): Kept {
    return {
      number: number === null ? null : ownText(number),
      line,
      orderedOn: this.#day(orderedOn),
      documentedOn: this.#day(documentedOn),
      documentNumber: documentNumber === null ? null : documentNumberOf(documentNumber),
      total: hundredths(total),
    };
  }

  #day(day: string | null): string | null {
    if (day === null) return null;
    const known = this.#days.get(day);
    if (known === undefined) this.#days.set(day, day);
    return known ?? day;
  }

  #number(kept: Kept): void {
    if (kept.number === null || kept.number.trim() === '') return;
    const first = this.#byNumber.get(kept.number);
    if (first === undefined) this.#byNumber.set(kept.number, kept);
    else this.#report([{ rule: 'order.number-repeated', words: `the number is taken${at(first)}` }], { line: kept.line, order: kept.number });
  }

  #document(kept: Kept): void {
    const { documentNumber, line, number: order } = kept;
    if (documentNumber === null) return;
    const first = this.#documents.get(documentNumber);
    if (first === undefined) this.#documents.set(documentNumber, kept);
    else
      this.#report([{ rule: 'order.document-number-repeated', words: `doc_n ${documentNumber} is that of order ${first.number}${at(first)}` }], {
        line,
        order,
      });
  }

  /** Checks the rules that need the month, which a file may name after its orders. */
  #outOfMonth(month: string): void {
    const [earliest, last] = [addDays(`${month}-01`, -DAYS_BEFORE), lastDayOf(month)];
    const lastDocument = addDays(last, DAYS_AFTER);
    const unlikely = (day: string | null, latest: string) => day !== null && (day < earliest || day > latest);
    for (const kept of this.#orders) {
      const { line, number: order, orderedOn, documentedOn } = kept;
      if (unlikely(orderedOn, last)) this.#report([{ rule: 'order.date-unlikely', words: `ord_d is ${orderedOn}, the file is of ${month}` }], { line, order });
      if (unlikely(documentedOn, lastDocument))
        this.#report([{ rule: 'order.date-unlikely', words: `doc_date is ${documentedOn}, the file is of ${month}` }], { line, order });
      this.#reported(kept, month);
    }
  }

  #reported({ number: order, line }: Kept, month: string): void {
    const before = order === null ? undefined : this.#context.reported?.get(order)?.month;
    if (before !== undefined && before !== month) this.#report([{ rule: 'order.reported-before', words: `the file of ${before} lists it` }], { line, order });
  }

  #returned(): ReturnsListed {
    const sums = new Map<string, bigint>();
    let amount = 0n;
    for (const { returned, line } of this.#returns) {
      const given = hundredths(returned.amount) ?? 0n;
      const sofar = (sums.get(returned.number ?? '') ?? 0n) + given;
      sums.set(returned.number ?? '', sofar);
      amount += given;
      this.#report(returnRemarks({ returned, month: this.#month, order: this.#find(returned.number), sofar }), { line, order: returned.number });
    }
    return { orders: sums.size, rows: this.#returns.length, amount };
  }

  #find(number: string | null): ReturnedOrder {
    const here = this.#byNumber.get(number ?? '');
    if (here !== undefined || number === null || this.#context.reported === undefined) return here;
    const reported = this.#context.reported.get(number);
    return reported === undefined ? null : { orderedOn: reported.orderedOn, total: hundredths(reported.total) };
  }

  #reportElements(remarks: readonly Remark[], lines: ElementLines): void {
    for (const remark of remarks) this.#report([remark], { line: (remark.element === undefined ? undefined : lines.get(remark.element)) ?? null });
  }

  #report(remarks: readonly Remark[], place: { line?: number | null; order?: string | null }): void {
    for (const { rule, words } of remarks) this.#findings.add(rule, { words, ...place });
  }
}

function at({ line }: Kept): string {
  return line === null ? '' : ` (line ${line})`;
}

function identityRemarks({ companyId, shopNumber, domain }: SeenHeader): Remark[] {
  const remarks: Remark[] = [];
  if (companyId !== null && !isCompanyId(companyId))
    remarks.push({ rule: 'header.company-number', words: `eik is "${companyId.slice(0, 50)}"`, element: 'eik' });
  if (domain?.trim() === '') remarks.push({ rule: 'header.empty', words: 'domain_name is empty', element: 'domain_name' });
  if (shopNumber?.trim() === '') remarks.push({ rule: 'header.empty', words: 'e_shop_n is empty', element: 'e_shop_n' });
  else if (shopNumber !== null && (!isShopNumber(shopNumber) || shopNumber === 'RF0000000'))
    remarks.push({ rule: 'header.shop-number', words: `e_shop_n is "${shopNumber.slice(0, 50)}"`, element: 'e_shop_n' });
  return remarks;
}

function timeRemarks({ month, createdOn: day }: SeenHeader): Remark[] {
  if (month === null || day === null) return [];
  const element = 'creation_date';
  if (day <= lastDayOf(month)) return [{ rule: 'header.month-not-ended', words: `made on ${day}, before the end of ${month}`, element }];
  const due = deadlineOf(month);
  return day > due ? [{ rule: 'header.after-deadline', words: `made on ${day}; the file of ${month} was due on ${due}`, element }] : [];
}

/** A returned order, as far as known: `total` in hundredths. Null: no file lists it; undefined: other files are not known. */
type ReturnedOrder = { orderedOn: string | null; total: bigint | null } | null | undefined;

/** `sofar`: the sum of the file's returns of the same order, in hundredths, this one included. */
type ReturnSeen = { returned: SeenReturn; month: string | null; order: ReturnedOrder; sofar: bigint };

/** Checks the rules of a return once the whole file is known. Pure. */
function returnRemarks({ returned: { amount, returnedOn }, month, order, sofar }: ReturnSeen): Remark[] {
  const remarks: Remark[] = [];
  if (month !== null && returnedOn !== null && monthOf(returnedOn) !== month)
    remarks.push({ rule: 'return.date-out-of-month', words: `returned on ${returnedOn}, but the file is of ${month}` });
  if ((hundredths(amount) ?? 0n) < 0n) remarks.push({ rule: 'return.negative', words: `r_amount is ${amount}` });
  if (order === null) remarks.push({ rule: 'return.order-unknown', words: 'no file lists this order' });
  if (order == null) return remarks;
  if (order.orderedOn !== null && returnedOn !== null && returnedOn < order.orderedOn)
    remarks.push({ rule: 'return.before-order', words: `returned on ${returnedOn}, but ordered on ${order.orderedOn}` });
  if (order.total !== null && absolute(sofar) > absolute(order.total))
    remarks.push({ rule: 'return.more-than-order', words: `${formatMoney(absolute(sofar), 2)} was given back of ${formatMoney(order.total, 2)}` });
  return remarks;
}

/** `orders` counts the returned orders, `rows` the rows; `amount` is their sum in hundredths. */
type ReturnsListed = { orders: number; rows: number; amount: bigint };

/** Checks the rules of `r_ord` and `r_total`. Pure. */
function returnSumRemarks({ count, total }: SeenReturnSums, { orders, rows, amount }: ReturnsListed): Remark[] {
  const remarks: Remark[] = [];
  if (count === null || total === null)
    remarks.push({
      rule: 'return.sums-missing',
      words: `${count === null ? 'r_ord' : 'r_total'} is absent or unreadable`,
      element: count === null ? 'r_ord' : 'r_total',
    });
  if (count !== null && count !== orders && count !== rows)
    remarks.push({ rule: 'return.count-mismatch', words: `r_ord is ${count}, but ${orders} orders are returned in ${rows} rows`, element: 'r_ord' });
  if (total !== null && hundredths(total) !== amount)
    remarks.push({ rule: 'return.total-mismatch', words: `r_total is ${total}, but the rows are ${formatMoney(amount, 2)} in sum`, element: 'r_total' });
  return remarks;
}

/** A run of missing numbers, both ends included. */
export type Gap = { from: number; to: number };

/** The missing runs between the lowest and the highest number. Sorts once; a wide gap costs nothing. */
export function numberGaps(numbers: readonly number[]): Gap[] {
  const all = Float64Array.from(numbers).sort();
  const gaps: Gap[] = [];
  for (const [index, one] of all.entries()) {
    const before = all[index - 1] ?? one;
    if (one - before > 1) gaps.push({ from: before + 1, to: one - 1 });
  }
  return gaps;
}

/** "0000000004 is missing", "0000000004 to 0000000009 are missing (6 numbers)". */
function gapWords({ from, to }: Gap): string {
  if (from === to) return `document number ${shown(from)} is missing`;
  return `document numbers ${shown(from)} to ${shown(to)} are missing (${to - from + 1} numbers)`;
}

function shown(number: number): string {
  return String(number).padStart(DOCUMENT_DIGITS, '0');
}
