import type pg from 'pg';
import { z } from 'zod';
import type { Dialect } from '../../wire/dialect.ts';
import { isoText } from '../database/iso-text.ts';
import { comesAfter, conditions } from './conditions.ts';
import { type ReadOrder, readOrderDto, storedOrder } from './order-view.ts';
import { cursorText, type Page, pageOf } from './page.ts';
import type { OrdersQuery } from './queries.ts';
import type { Scope } from './read-shops.ts';

type Reader = Scope & { dialect: Dialect };

const SELECT = `
  select o.id, o.shop_id as "shopId", ${isoText('o.created_at')} as "createdAt", o.customer, ${cursorText('o')} as cursor,
    json_build_object('internalId', o.internal_id, 'internalNumber', o.internal_number, 'internalCreatedAt', o.internal_created_at, 'lineItems', o.line_items,
      'paymentType', o.payment_type, 'paymentProcessorName', o.payment_processor_name, 'transactionId', o.transaction_id, 'precision', o.precision,
      'currency', o.currency) as record,
    lpad(o.document_number::text, 10, '0') as "documentNumber", o.document_date::text as "documentDate", o.edition, to_char(o.month, 'YYYY-MM') as month,
    o.accounting_currency as "accountingCurrency", o.accounting_total::text as "accountingTotal", o.accounting_vat::text as "accountingVat", o.exchange
  from compliance.orders o join compliance.shops s on s.id = o.shop_id`;

const row = storedOrder.extend({ cursor: z.string() });

/** The orders of a key's shops, oldest first; amounts in the dialect's unit. */
export async function listOrders(pool: pg.Pool, { keyId, dialect, limit, after, ...filter }: Reader & OrdersQuery): Promise<Page<ReadOrder>> {
  const { where, values } = conditions([
    ['s.api_key_id = ?', keyId],
    ['o.shop_id = ?', filter.shopId],
    [`o.month = to_date(?, 'YYYY-MM')`, filter.month],
    ['o.internal_id = ?', filter.internalId],
    ['o.internal_number = ?', filter.internalNumber],
    comesAfter('o', after),
  ]);
  const { rows } = await pool.query(`${SELECT} where ${where} order by o.created_at, o.id limit ${limit + 1}`, values);
  return pageOf(z.array(row).parse(rows), limit, (order) => readOrderDto(order, dialect));
}

/** Null if the key has no such order. */
export async function readOrder(pool: pg.Pool, { keyId, dialect, id }: Reader & { id: string }): Promise<ReadOrder | null> {
  const { where, values } = conditions([
    ['o.id = ?', id],
    ['s.api_key_id = ?', keyId],
  ]);
  const { rows } = await pool.query(`${SELECT} where ${where}`, values);
  return rows[0] === undefined ? null : readOrderDto(row.parse(rows[0]), dialect);
}
