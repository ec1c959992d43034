import type { Dialect } from '../../contract/dialect.ts';
import { encodeAmount } from '../../contract/encode-order.ts';
import { recordTotals } from '../orders/order-dto.ts';
import type { StoredReceipt } from './stored-receipt.ts';

/**
 * A receipt in an answer. `emailed`: `no-address` if the buyer has no usable e-mail address, else whether the mail waits to be sent, was accepted by
 * the mail server, or failed for good. `total` is in the order's currency and the caller's unit.
 */
export type ReceiptDto = {
  id: string;
  orderId: string;
  shopId: string;
  /** It is no real document: it is of a test shop. */
  test?: true;
  documentNumber: string;
  documentDate: string;
  edition: number;
  issuedAt: string;
  total: number;
  currency: string;
  emailed: 'no-address' | 'queued' | 'sent' | 'failed';
};

export function receiptDto({ id, orderId, shopId, issuedAt, seller, sale, mailState }: StoredReceipt, { amounts }: Pick<Dialect, 'amounts'>): ReceiptDto {
  const { record, documentNumber, documentDate, edition } = sale;
  return {
    id,
    orderId,
    shopId,
    ...(seller.test === true && { test: true }),
    documentNumber: documentNumber.padStart(10, '0'),
    documentDate,
    edition,
    issuedAt,
    total: encodeAmount(recordTotals(record).total, record.precision, amounts),
    currency: record.currency,
    emailed: mailState ?? 'no-address',
  };
}
