import { formatMoney } from '../../../contract/money.ts';
import { paymentCodes } from '../../law/audit-codes.ts';
import { sofiaDay } from '../../law/sofia-day.ts';
import { linesIn } from '../../rates/accounting-lines.ts';
import type { AuditOrder } from '../audit-file.ts';
import { articlesOf } from './articles-of.ts';
import { recordOf, type StoredOrder } from './stored-order.ts';

const CENTS = 2;

/**
 * An order as the file lists it, in its accounting currency. Discounts are in the prices, so every reading of the file's arithmetic agrees (see
 * docs/adr/0013); `repeats`: an earlier order of the shop has its number, so the document number is added. Throws RangeError for amounts that can't be written.
 */
export function auditOrderOf(order: StoredOrder, { repeats }: { repeats: boolean }): AuditOrder {
  const lines = linesIn(recordOf(order), { to: order.accountingCurrency, rate: order.exchange });
  if (lines === null) throw new RangeError(`order ${order.internalNumber} is in ${order.currency}, and its exchange rate is missing`);
  const precision = order.currency === order.accountingCurrency ? order.precision : CENTS;
  const rows = lines.map((line) => articlesOf(line, precision));
  const net = rows.reduce((sum, { amounts }) => sum + amounts.net, 0n);
  const vat = rows.reduce((sum, { amounts }) => sum + amounts.vat, 0n);
  return {
    number: repeats ? `${order.internalNumber} / ${order.documentNumber}` : order.internalNumber,
    orderedOn: sofiaDay(order.internalCreatedAt),
    documentNumber: order.documentNumber,
    documentedOn: order.documentDate,
    articles: rows.flatMap(({ articles }) => articles),
    net: formatMoney(net, 2),
    discount: '0.00',
    vat: formatMoney(vat, 2),
    total: formatMoney(net + vat, 2),
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
    processor: paymentType === 'PAYMENT_PROCESSOR' ? paymentProcessorName : null,
  };
}
