import { exactMoney, formatMoney, sum } from '../../contract/money.ts';
import type { RecordLine } from '../../contract/record.ts';
import { paymentCodes } from '../law/audit-codes.ts';
import { sofiaDay } from '../law/sofia-day.ts';
import { sofiaTime } from '../law/sofia-time.ts';
import { groupLetter } from '../law/vat-rates.ts';
import { recordTotals } from '../orders/order-dto.ts';
import { type Equivalent, equivalentsOf, fiscalTotal } from './equivalents.ts';
import { qrData } from './qr-data.ts';
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
  /** Above 1 for a document that replaces an earlier one with the same number. */
  edition: number;
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
  /** In Bulgarian. */
  payment: string;
  processor: string | null;
  /** The total in the accounting currency, and in both currencies while the law asks for it. */
  equivalents: readonly Equivalent[];
  /** Content of the QR code. */
  qr: string;
};

/** The document of a recorded sale, with the seller's details of the day of issue. */
export function receiptOf(sale: Sale, seller: Seller): ReceiptDocument {
  const { record } = sale;
  const totals = recordTotals(record, sale.calculation);
  const sold = { soldOn: sofiaDay(record.internalCreatedAt), soldAt: sofiaTime(record.internalCreatedAt) };
  return {
    number: sale.documentNumber.padStart(10, '0'),
    date: sale.documentDate,
    edition: sale.edition,
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
    payment: paymentCodes[record.paymentType]?.bulgarian ?? record.paymentType,
    processor: record.paymentProcessorName,
    equivalents: equivalentsOf(sale, totals),
    qr: qrData({
      shopNumber: seller.nraNumber,
      orderNumber: record.internalNumber,
      transaction: record.transactionId,
      ...sold,
      amount: fiscalTotal(sale, totals),
    }),
  };
}

function receiptLine({ name, quantity, price, discount, vatGroup }: RecordLine, value: string | undefined): ReceiptLine {
  if (value === undefined) throw new RangeError('a line has no totals');
  return { name, group: groupLetter(vatGroup) ?? vatGroup, quantity, price, discount, value };
}

function added(a: string, b: string, precision: number): string {
  return formatMoney(sum([a, b].map((amount) => exactMoney(amount, precision))), precision);
}
