import { z } from 'zod';
import type { Dialect } from '../../contract/dialect.ts';
import { encodeAmount } from '../../contract/order-dto.ts';
import { taxRecord } from '../../contract/record.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { isoText, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { sofiaDay } from '../law/calendar.ts';
import { RECORD_OF_ORDER, recordTotals } from '../orders/order-dto.ts';
import { storedRate } from '../rates/exchange-rate.ts';
import { type Cursor, comesAfter, conditions, cursorText, type ListPage, pageOf } from '../reading/listing.ts';
import type { KeyScope } from '../reading/read-shops.ts';
import { type ReceiptDocument, receiptOf } from './receipt-document.ts';
import { renderReceipt } from './receipt-page.ts';

type Reader = KeyScope & { dialect: Pick<Dialect, 'amounts'> };
type List = Reader & { shopId?: string | undefined; month?: string | undefined; after?: Cursor | undefined; limit: number };

type Sought = { id: string; orderId?: never } | { id?: never; orderId: string };

/** Receipts with their orders and newest mails; a mail whose row is gone was sent long ago. */
export const FROM_RECEIPTS = `compliance.receipts r join compliance.orders o on o.id = r.order_id
  left join compliance.mails m on m.dedup_key = r.mail_key`;

const SALE = `json_build_object(
    'record', ${RECORD_OF_ORDER}, 'documentNumber', o.document_number::text, 'documentDate', o.document_date::text, 'edition', o.edition,
    'accounting', json_build_object('currency', o.accounting_currency, 'total', o.accounting_total::text, 'vat', o.accounting_vat::text, 'exchange', o.exchange))`;

/** Columns of a `storedReceipt`, from receipts r, orders o and mails m. */
export const STORED_RECEIPT = `r.id, r.order_id as "orderId", r.shop_id as "shopId", ${isoText('r.created_at')} as "issuedAt", r.seller, ${SALE} as sale,
  r.english, r.replaces::text as replaces,
  case when r.mail_key is null then null when m.id is null then coalesce(r.mail_state, 'sent') when m.sent_at is not null then 'sent'
    when m.failed_at is not null then 'failed' else 'queued' end as "mailState"`;

const SELECT = `select ${STORED_RECEIPT}, ${cursorText('r')} as cursor from ${FROM_RECEIPTS} join compliance.shops s on s.id = r.shop_id`;

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
const receiptRows = rowsOf('compliance.receipts', storedReceipt.extend({ cursor: z.string() }));

/** A receipt and its HTML page, by its id or that of its order; null if the key (without one: any) has no such receipt. */
export async function readReceipt(pool: Pool, { keyId, dialect, id, orderId }: Reader & Sought): Promise<{ dto: ReceiptDto; html: string } | null> {
  const { where, values } = conditions([
    ['r.id = ?', id],
    ['r.order_id = ?', orderId],
    ['s.api_key_id = ?', keyId],
  ]);
  const stored = await readRow(pool, receiptRows, { text: `${SELECT} where ${where}`, values });
  if (stored === null) return null;
  return { dto: receiptDto(stored, dialect), html: renderReceipt(documentOf(stored)) };
}

/** The receipts of a key's shops (without a key: of all), oldest first; `month` ("2026-10") is that of the order's audit file. */
export async function listReceipts(pool: Pool, { keyId, dialect, shopId, month, after, limit }: List): Promise<ListPage<ReceiptDto>> {
  const { where, values } = conditions([
    ['s.api_key_id = ?', keyId],
    ['r.shop_id = ?', shopId],
    [`o.month = to_date(?, 'YYYY-MM')`, month],
    comesAfter('r', after),
  ]);
  const rows = await readRows(pool, receiptRows, { text: `${SELECT} where ${where} order by r.created_at, r.id limit ${limit + 1}`, values });
  return pageOf(rows, limit, (row) => receiptDto(row, dialect));
}

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

export type StoredReceipt = z.output<typeof storedReceipt>;

/** The document of a receipt as it was issued. */
export function documentOf({ sale: sold, seller, issuedAt, english, replaces }: StoredReceipt): ReceiptDocument {
  return receiptOf(sold, seller, { issuedOn: sofiaDay(issuedAt), replaces, english });
}
