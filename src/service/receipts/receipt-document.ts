import { decimal, fixed } from '../../contract/decimal.ts';
import { quoted } from '../../contract/messages.ts';
import { convertFixed, decimalsOf, exactMoney, formatMoney, isTied, minorOf, sum } from '../../contract/money.ts';
import type { RecordLine, TaxRecord } from '../../contract/record.ts';
import type { ShopDetails } from '../../contract/shop-dto.ts';
import type { OrderTotals } from '../../contract/totals.ts';
import { paymentCodes } from '../law/audit-codes.ts';
import { monthOf, sofiaDay, sofiaTime } from '../law/calendar.ts';
import { accountingCurrencyOf, secondCurrencyOn } from '../law/currencies.ts';
import { groupLetter } from '../law/vat-rates.ts';
import { recordTotals } from '../orders/order-dto.ts';
import type { ExchangeRate } from '../rates/exchange-rate.ts';
import { qrData } from './qr-code.ts';

/** One kind of goods or services. Money is decimal text with VAT; `value` is after the discount. */
type ReceiptLine = { name: string; group: string; quantity: number; price: string; discount: string; value: string };

/** The document for registering a sale of Ordinance N-18, art. 52о: all its content, money in decimal text of `currency`, with VAT unless named otherwise. */
export type ReceiptDocument = {
  /** Ten digits. */
  number: string;
  /** Bulgarian day, "2026-11-20". */
  date: string;
  /** Which record of the sale it is of: above 1 if an earlier order with this number was deleted. */
  edition: number;
  /** Number of the issued document that it replaces: ten digits, mostly the same; null: there is none. */
  replaces: string | null;
  /** In English, too. */
  english: boolean;
  seller: Seller;
  orderNumber: string;
  /** When the shop's software took the order, in Bulgarian time: "2026-11-20", "10:15:00". */
  soldOn: string;
  soldAt: string;
  transaction: string | null;
  lines: readonly ReceiptLine[];
  currency: string;
  total: string;
  beforeDiscount: string;
  /** Sum of all discounts. */
  discount: string;
  vat: string;
  groups: readonly VatGroupSum[];
  /** In Bulgarian, and in English behind it if that is wanted. */
  payment: string;
  processor: string | null;
  /** The total in the accounting currency, and in both currencies while the law asks for it. */
  equivalents: readonly Equivalent[];
  /** Content of the QR code. */
  qr: string;
};

/** How a document was issued: on which Bulgarian day, the number of the issued one that it replaces (digits), and whether it is in English, too. */
export type ReceiptIssue = { issuedOn: string; replaces: string | null; english: boolean };

/** The document of a recorded sale, with the seller's details of the day of issue. */
export function receiptOf(sale: Sale, seller: Seller, issue: ReceiptIssue): ReceiptDocument {
  const { record } = sale;
  const totals = recordTotals(record);
  const sold = { soldOn: sofiaDay(record.internalCreatedAt), soldAt: sofiaTime(record.internalCreatedAt) };
  return {
    number: sale.documentNumber.padStart(10, '0'),
    date: sale.documentDate,
    edition: sale.edition,
    replaces: issue.replaces?.padStart(10, '0') ?? null,
    english: issue.english,
    seller,
    orderNumber: record.internalNumber,
    ...sold,
    transaction: record.transactionId,
    lines: record.lineItems.map((line, i) => receiptLine(line, totals.lines[i]?.subtotal)),
    currency: record.currency,
    total: totals.total,
    beforeDiscount: added(totals.total, totals.totalDiscount, record.precision),
    discount: totals.totalDiscount,
    vat: totals.totalVat,
    groups: vatByGroup(record, totals),
    payment: paymentText(record.paymentType, issue),
    processor: record.paymentProcessorName,
    equivalents: equivalentsOf(sale, totals, issue.issuedOn),
    qr: qrData({
      shopNumber: seller.nraNumber,
      orderNumber: record.internalNumber,
      transaction: record.transactionId,
      ...sold,
      amount: fiscalTotal(sale, totals, issue.issuedOn),
    }),
  };
}

function paymentText(paymentType: string, { english }: ReceiptIssue): string {
  const { en, bg } = paymentCodes[paymentType]?.name ?? quoted(paymentType);
  return english ? `${bg} / ${en}` : bg;
}

function receiptLine({ name, quantity, price, discount, vatGroup }: RecordLine, value: string | undefined): ReceiptLine {
  if (value === undefined) throw new RangeError('a line has no totals');
  return { name, group: groupLetter(vatGroup) ?? vatGroup, quantity, price, discount, value };
}

function added(a: string, b: string, precision: number): string {
  return formatMoney(sum([a, b].map((amount) => exactMoney(amount, precision))), precision);
}

/** The seller's details on a document; kept with each document as of the day of issue. */
export type Seller = Pick<
  ShopDetails,
  'name' | 'domain' | 'customerPhone' | 'customerEmail' | 'nraNumber' | 'companyUic' | 'companyName' | 'companyAddress'
> & {
  /** The shop was made with a test key: its documents are no real ones. */
  test?: true | undefined;
};

/** A recorded order with what the law adds to it. No personal data. */
export type Sale = {
  record: TaxRecord;
  /** Digits. */
  documentNumber: string;
  /** Bulgarian day on which the number was given, "2026-11-20". */
  documentDate: string;
  edition: number;
  accounting: DeclaredAmounts;
};

/** The order in the accounting currency; amounts are null while the exchange rate is missing. Decimal text. */
type DeclaredAmounts = { currency: string; total: string | null; vat: string | null; exchange: ExchangeRate | null };

/**
 * The total in another currency than that of the prices. `fixed` is by 1 EUR = 1.95583 BGN, `published` by a rate of the central bank;
 * `awaited` says that the central bank's rate of the order's day is not known yet.
 */
export type Equivalent =
  | { by: 'fixed'; currency: string; total: string; vat: string | null }
  | { by: 'published'; currency: string; total: string; vat: string; exchange: ExchangeRate }
  | { by: 'awaited'; currency: string };

/**
 * The accounting currency first, if prices are in another one; then the second currency during a period of dual display. `issuedOn`: the document's
 * Bulgarian day.
 */
function equivalentsOf(sale: Sale, { total }: OrderTotals, issuedOn: string): Equivalent[] {
  const { record } = sale;
  if (isDeclaredOtherwise(sale, issuedOn)) return [inAccountingCurrency(sale)];
  const second = secondCurrencyOn(issuedOn, record.currency);
  if (second === null || !isTied(record.currency)) return [];
  const minor = minorOf(decimal(total), 2);
  return [{ by: 'fixed', currency: second, total: formatMoney(convertFixed(minor, record.currency, second), 2), vat: null }];
}

// A sale that was declared in leva and is replaced in euro stays in its month; a document of today says nothing in leva.
function isDeclaredOtherwise({ record, accounting }: Sale, issuedOn: string): boolean {
  if (accounting.currency === record.currency) return false;
  return !isTied(record.currency) || record.currency !== accountingCurrencyOf(monthOf(issuedOn));
}

function inAccountingCurrency({ accounting: { currency, total, vat, exchange } }: Sale): Equivalent {
  if (total === null || vat === null) return { by: 'awaited', currency };
  return exchange === null ? { by: 'fixed', currency, total, vat } : { by: 'published', currency, total, vat, exchange };
}

/** The amount of the sale with two decimals: as it is declared; in the currency of the total while no rate is known, or if that is today's own. */
function fiscalTotal(sale: Sale, { total }: OrderTotals, issuedOn: string): string {
  const declared = isDeclaredOtherwise(sale, issuedOn) ? sale.accounting.total : null;
  return fixed(decimal(declared ?? total), 2);
}

/** The sales of one tax group at one rate, after discounts. `group` is its letter, `rate` percent, the rest decimal text. */
export type VatGroupSum = { group: string; rate: string; net: string; vat: string; gross: string };

/** The order's sums per tax group, by letter; together they add up to the order's. */
function vatByGroup({ lineItems, precision, currency }: TaxRecord, { lines }: OrderTotals): VatGroupSum[] {
  // VAT may have more decimals than the order's precision.
  const decimals = Math.max(precision, decimalsOf(currency));
  const minor = (text: string | undefined) => exactMoney(text ?? '', decimals);
  const rows = lineItems.map(({ vatGroup, vatRate }, i) => ({
    group: groupLetter(vatGroup) ?? vatGroup,
    rate: vatRate,
    vat: minor(lines[i]?.subtotalVat),
    gross: minor(lines[i]?.subtotal),
  }));
  const together = Map.groupBy(rows, ({ group, rate }) => `${group} ${rate}`);
  const sums = [...together.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    const vat = sum(members.map((member) => member.vat));
    const gross = sum(members.map((member) => member.gross));
    const text = (amount: bigint) => formatMoney(amount, decimals);
    return [{ group: first.group, rate: first.rate, net: text(gross - vat), vat: text(vat), gross: text(gross) }];
  });
  return sums.toSorted((a, b) => a.group.localeCompare(b.group, 'bg') || Number(b.rate) - Number(a.rate));
}
