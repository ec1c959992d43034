import { exactMoney, formatMoney, sum } from '../../contract/money.ts';
import type { RecordLine } from '../../contract/record.ts';
import { paymentCodes } from '../law/audit-codes.ts';
import { sofiaDay } from '../law/sofia-day.ts';
import { sofiaTime } from '../law/sofia-time.ts';
import { groupLetter } from '../law/vat-rates.ts';
import { recordTotals } from '../orders/order-dto.ts';
import { type Equivalent, equivalentsOf, fiscalTotal } from './equivalents.ts';
import { qrData } from './qr-data.ts';
import { paymentInEnglish } from './receipt-words.ts';
import type { Sale, Seller } from './sale.ts';
import { type VatGroupSum, vatByGroup } from './vat-by-group.ts';

/** One kind of goods or services. Money is decimal text with VAT; `value` is after the discount. */
export type ReceiptLine = { name: string; group: string; quantity: number; price: string; discount: string; value: string };

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
export type Issue = { issuedOn: string; replaces: string | null; english: boolean };

/** The document of a recorded sale, with the seller's details of the day of issue. */
export function receiptOf(sale: Sale, seller: Seller, issue: Issue): ReceiptDocument {
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

function paymentText(paymentType: string, { english }: Issue): string {
  const payment = paymentCodes[paymentType]?.bulgarian ?? paymentType;
  return english ? `${payment} / ${paymentInEnglish(paymentType)}` : payment;
}

function receiptLine({ name, quantity, price, discount, vatGroup }: RecordLine, value: string | undefined): ReceiptLine {
  if (value === undefined) throw new RangeError('a line has no totals');
  return { name, group: groupLetter(vatGroup) ?? vatGroup, quantity, price, discount, value };
}

function added(a: string, b: string, precision: number): string {
  return formatMoney(sum([a, b].map((amount) => exactMoney(amount, precision))), precision);
}
