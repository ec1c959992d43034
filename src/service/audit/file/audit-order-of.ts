import { exactMoney, formatMoney } from '../../../contract/money.ts';
import { paymentCodes } from '../../law/audit-codes.ts';
import { processorId } from '../../law/payment-providers.ts';
import { sofiaDay } from '../../law/sofia-day.ts';
import { declaredAmounts } from '../../rates/declared-amounts.ts';
import type { AuditOrder } from '../audit-file.ts';
import { articlesOf } from './articles-of.ts';
import type { StoredOrder } from './stored-order.ts';

/**
 * An order as the file lists it, in its accounting currency. Discounts are in the prices, so every reading of the file's arithmetic agrees (see
 * docs/adr/0013). Throws RangeError for amounts that can't be written.
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
