import type { TaxRecord } from '../../../src/contract/record.ts';
import { type ReceiptDocument, type ReceiptIssue, receiptOf, type Sale, type Seller } from '../../../src/service/receipts/receipt-document.ts';

export const seller: Seller = {
  name: 'Магазин за чаши',
  domain: 'https://cups.example',
  customerPhone: '+359888123456',
  customerEmail: 'shop@cups.example',
  nraNumber: 'RF0000123',
  companyUic: '206770508',
  companyName: 'Чаши и книги ЕООД',
  companyAddress: 'София, ул. Шипка 1',
};

/** A sale of two kinds of goods at two rates with a discount; `record` and the rest may be changed. */
export function saleWith(record: Partial<TaxRecord> = {}, changes: Partial<Omit<Sale, 'record'>> = {}): Sale {
  return {
    record: {
      internalId: '5001',
      internalNumber: '#1042',
      internalCreatedAt: '2026-11-20T22:15:33Z',
      lineItems: [
        { name: 'Чаша', quantity: 3, price: '12.90', discount: '1.05', vatRate: '20', vatGroup: 'GROUP_B' },
        { name: 'Книга', quantity: 1, price: '21.80', discount: '0.00', vatRate: '9', vatGroup: 'GROUP_D' },
      ],
      paymentType: 'PAYMENT_PROCESSOR',
      paymentProcessorName: 'Stripe',
      transactionId: 'pi_1',
      precision: 2,
      currency: 'EUR',
      ...record,
    },
    documentNumber: '123',
    documentDate: '2026-11-21',
    edition: 1,
    accounting: { currency: 'EUR', total: '59.45', vat: '8.08', exchange: null },
    ...changes,
  };
}

/** The document of a sale, a first one in Bulgarian that was issued on the day of its number; `issue` may change that. */
export function documentOf(sale: Sale, by: Seller = seller, issue: Partial<ReceiptIssue> = {}): ReceiptDocument {
  return receiptOf(sale, by, { issuedOn: sale.documentDate, replaces: null, english: false, ...issue });
}
