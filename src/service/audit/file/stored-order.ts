import { z } from 'zod';
import { isTied } from '../../../contract/money.ts';
import { recordLine } from '../../../contract/record.ts';
import { storedRate } from '../../rates/stored-rate.ts';

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
