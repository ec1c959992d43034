import { z } from 'zod';
import { taxRecord } from '../../contract/record.ts';
import { isoText } from '../../platform/postgres/iso-text.ts';
import { sofiaDay } from '../law/sofia-day.ts';
import { storedRate } from '../rates/stored-rate.ts';
import { type ReceiptDocument, receiptOf } from './receipt-document.ts';

const text = z.string();

const sale = z.object({
  record: taxRecord,
  documentNumber: text,
  documentDate: text,
  edition: z.int(),
  accounting: z.object({ currency: text, total: text.nullable(), vat: text.nullable(), exchange: storedRate.nullable() }),
});

/** Its details on the day of issue. */
export const storedSeller = z.object({
  name: text,
  domain: text,
  customerPhone: text,
  customerEmail: text,
  nraNumber: text,
  companyUic: text,
  companyName: text,
  companyAddress: text,
  test: z.literal(true).optional(),
});

/** An issued receipt with its sale. `replaces`: number of the document that it replaces. `mailState` is null if no mail was queued. */
export const storedReceipt = z.object({
  id: text,
  orderId: text,
  shopId: text,
  issuedAt: text,
  seller: storedSeller,
  sale,
  english: z.boolean(),
  replaces: text.nullable(),
  mailState: z.enum(['queued', 'sent', 'failed']).nullable(),
});

export type StoredReceipt = z.output<typeof storedReceipt>;

/** The document of a receipt as it was issued. */
export function documentOf({ sale: sold, seller, issuedAt, english, replaces }: StoredReceipt): ReceiptDocument {
  return receiptOf(sold, seller, { issuedOn: sofiaDay(issuedAt), replaces, english });
}

const SALE = `json_build_object(
    'record', json_build_object('internalId', o.internal_id, 'internalNumber', o.internal_number, 'internalCreatedAt', o.internal_created_at,
      'lineItems', o.line_items, 'paymentType', o.payment_type, 'paymentProcessorName', o.payment_processor_name, 'transactionId', o.transaction_id,
      'precision', o.precision, 'currency', o.currency),
    'documentNumber', o.document_number::text, 'documentDate', o.document_date::text, 'edition', o.edition,
    'accounting', json_build_object('currency', o.accounting_currency, 'total', o.accounting_total::text, 'vat', o.accounting_vat::text, 'exchange', o.exchange))`;

/** Columns of a `storedReceipt`, from receipts r, orders o and mails m. */
export const STORED_RECEIPT = `r.id, r.order_id as "orderId", r.shop_id as "shopId", ${isoText('r.created_at')} as "issuedAt", r.seller, ${SALE} as sale,
  r.english, r.replaces::text as replaces,
  case when r.mail_key is null then null when m.id is null then coalesce(r.mail_state, 'sent') when m.sent_at is not null then 'sent'
    when m.failed_at is not null then 'failed' else 'queued' end as "mailState"`;

/** Receipts with their orders and newest mails; a mail whose row is gone was sent long ago. */
export const FROM_RECEIPTS = `compliance.receipts r join compliance.orders o on o.id = r.order_id
  left join compliance.mails m on m.dedup_key = r.mail_key`;
