import { z } from 'zod';
import { decimal } from '../../../contract/decimal.ts';
import { limits } from '../../../contract/limits.ts';
import { divideHalfUp, exactMoney, formatMoney, isTied, minorOf, smaller } from '../../../contract/money.ts';
import { type RecordLine, recordLine } from '../../../contract/record.ts';
import { paymentCodes, processorId } from '../../law/audit-codes.ts';
import { sofiaDay } from '../../law/calendar.ts';
import { declaredAmounts, type LineAmounts } from '../../rates/declared-amounts.ts';
import { storedRate } from '../../rates/exchange-rate.ts';
import type { AuditArticle, AuditOrder } from '../audit-file.ts';

/**
 * An order as the file lists it, in its accounting currency. Discounts are in the prices, so every reading of the file's arithmetic agrees
 * (docs/adr/0014-decimal-js-does-the-arithmetic.md). Throws RangeError for amounts that can't be written.
 */
export function auditOrderOf(order: StoredOrder): AuditOrder {
  const declared = declaredAmounts(order, { to: order.accountingCurrency, rate: order.exchange });
  if (declared === null) throw new RangeError(`order ${order.internalNumber} is in ${order.currency}, and its exchange rate is missing`);
  const { lines, total, vat } = declared;
  return {
    number: order.listedNumber,
    orderedOn: sofiaDay(order.internalCreatedAt),
    documentNumber: order.documentNumber,
    documentedOn: order.documentDate,
    articles: order.lineItems.flatMap((line, i) => articlesOf(line, lines[i])),
    net: formatMoney(exactMoney(total, 2) - exactMoney(vat, 2), 2),
    discount: '0.00',
    vat,
    total,
    ...paymentOf(order),
  };
}

function paymentOf({ paymentType, paymentProcessorName, transactionId }: StoredOrder) {
  const code = paymentCodes[paymentType];
  if (code === undefined) throw new RangeError(`the payment type ${paymentType} has no code in the audit file`);
  return {
    payment: code.code,
    // The interface has one field for the payee: the terminal of a virtual POS, the provider of a payment service.
    posNumber: paymentType === 'VIRTUAL_POS' ? paymentProcessorName : null,
    transaction: transactionId,
    processor: paymentType === 'PAYMENT_PROCESSOR' && paymentProcessorName !== null ? processorId(paymentProcessorName) : null,
  };
}

const THOUSAND = 1000n;

/**
 * One line of an order as rows of the file, whose price has two decimals, is without VAT and after discount: quantity × price + VAT is the sum in each
 * row, to the cent. Where the net amount is no multiple of the quantity, the line becomes two rows (2 × 8.32 and 1 × 8.33); a quantity that is not
 * whole and does not divide evenly, or whose pieces cost less than a cent each, is written into the name, with quantity 1. `amounts`: what the line is
 * declared with.
 */
export function articlesOf(line: RecordLine, amounts: LineAmounts | undefined): AuditArticle[] {
  if (amounts === undefined) throw new RangeError('a line has no amounts');
  const { gross, vat } = amounts;
  const net = gross - vat;
  const quantity = minorOf(decimal(line.quantity), limits.quantityDecimals);
  if (quantity % THOUSAND !== 0n && !isEven(quantity, net)) return [asOne(line, net, vat)];
  if (quantity % THOUSAND !== 0n) return [row(line, { count: quantity, price: (net * THOUSAND) / quantity, net, vat })];
  const count = quantity / THOUSAND;
  const dearer = net % count;
  // Pieces at 0.00 would look as if they were given away.
  if (net > 0n && net < count) return [asOne(line, net, vat)];
  if (dearer === 0n) return [row(line, { count: quantity, price: net / count, net, vat })];
  return twoRows(line, { count, dearer, net, vat });
}

function twoRows(line: RecordLine, { count, dearer, net, vat }: { count: bigint; dearer: bigint; net: bigint; vat: bigint }): AuditArticle[] {
  const price = net / count;
  const cheapNet = (count - dearer) * price;
  const rate = BigInt(rateOf(line));
  const own = smaller(divideHalfUp(cheapNet * rate, 100n), vat);
  // The line has its share of the order's VAT, up to a cent off its own: the two rows share that, too.
  const excess = (vat - own) * 100n - (net - cheapNet) * rate;
  const cheapVat = own + (excess > 100n + rate ? 1n : 0n) - (excess < -(100n + rate) ? 1n : 0n);
  return [
    row(line, { count: (count - dearer) * THOUSAND, price, net: cheapNet, vat: cheapVat }),
    row(line, { count: dearer * THOUSAND, price: price + 1n, net: net - cheapNet, vat: vat - cheapVat }),
  ];
}

// Does quantity (with two decimals at most) × a price in cents give the net amount?
function isEven(quantity: bigint, net: bigint): boolean {
  return quantity % 10n === 0n && (net * THOUSAND) % quantity === 0n;
}

function asOne(line: RecordLine, net: bigint, vat: bigint): AuditArticle {
  const name = `${String(line.quantity).replace('.', ',')} × ${line.name}`;
  return row({ ...line, name }, { count: THOUSAND, price: net, net, vat });
}

function row(line: RecordLine, { count, price, net, vat }: { count: bigint; price: bigint; net: bigint; vat: bigint }): AuditArticle {
  return {
    name: line.name,
    quantity: formatMoney(count / 10n, 2),
    price: formatMoney(price, 2),
    vatRate: rateOf(line),
    vat: formatMoney(vat, 2),
    sum: formatMoney(net + vat, 2),
  };
}

function rateOf({ vatRate }: RecordLine): number {
  return Number(vatRate);
}

/** An order with the fields that the file needs: no buyer. */
export const storedOrder = z.object({
  id: z.string(),
  documentNumber: z.string(),
  documentDate: z.string(),
  internalId: z.string(),
  internalNumber: z.string(),
  /** Under which files list it. */
  listedNumber: z.string(),
  internalCreatedAt: z.string(),
  lineItems: z.array(recordLine),
  paymentType: z.string(),
  paymentProcessorName: z.string().nullable(),
  transactionId: z.string().nullable(),
  precision: z.int(),
  /** In its own currency, with VAT. */
  total: z.string(),
  currency: z.string(),
  accountingCurrency: z.string().refine(isTied),
  accountingTotal: z.string().nullable(),
  accountingVat: z.string().nullable(),
  exchange: storedRate.nullable(),
});

export type StoredOrder = z.output<typeof storedOrder>;

/** The columns of a `storedOrder`, from `compliance.orders o`. */
export const STORED_ORDER = `o.id, lpad(o.document_number::text, 10, '0') as "documentNumber", o.document_date::text as "documentDate",
  o.internal_id as "internalId", o.internal_number as "internalNumber",
  coalesce(o.listed_as, o.internal_number) as "listedNumber", o.internal_created_at as "internalCreatedAt", o.line_items as "lineItems",
  o.payment_type as "paymentType", o.payment_processor_name as "paymentProcessorName", o.transaction_id as "transactionId", o.precision, o.total::text, o.currency,
  o.accounting_currency as "accountingCurrency", o.accounting_total::text as "accountingTotal", o.accounting_vat::text as "accountingVat", o.exchange`;
