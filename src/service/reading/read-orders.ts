import { z } from 'zod';
import type { Dialect } from '../../contract/dialect.ts';
import { isoText } from '../../platform/postgres/iso-text.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { doubtsOf } from '../orders/order-doubts.ts';
import { comesAfter, conditions } from './conditions.ts';
import { cursorText, type Page, pageOf } from './page.ts';
import type { OrdersQuery } from './queries.ts';
import { listedOrder, type ReadOrder, readOrderDto } from './read-order-dto.ts';
import type { KeyScope } from './read-shops.ts';

type Reader = KeyScope & { dialect: Dialect };

const COLUMNS = `
  o.id, o.shop_id as "shopId", (select t.test from compliance.shops t where t.id = o.shop_id) as test, ${isoText('o.created_at')} as "createdAt", o.customer, ${cursorText('o')} as cursor,
    json_build_object('internalId', o.internal_id, 'internalNumber', o.internal_number, 'internalCreatedAt', o.internal_created_at, 'lineItems', o.line_items,
      'paymentType', o.payment_type, 'paymentProcessorName', o.payment_processor_name, 'transactionId', o.transaction_id, 'precision', o.precision,
      'currency', o.currency) as record,
    lpad(o.document_number::text, 10, '0') as "documentNumber", o.document_date::text as "documentDate", o.edition, to_char(o.month, 'YYYY-MM') as month,
    o.delivered_at as "deliveredAt",
    o.accounting_currency as "accountingCurrency", o.accounting_total::text as "accountingTotal", o.accounting_vat::text as "accountingVat", o.exchange, ${doubtsOf('o.id')} as doubts`;

const orderRows = rowsOf('compliance.orders', listedOrder.extend({ cursor: z.string() }));

/** The orders of a key's shops, oldest first; amounts in the dialect's unit. */
export async function listOrders(pool: Pool, { keyId, dialect, limit, after, shopId, ...filter }: Reader & OrdersQuery): Promise<Page<ReadOrder>> {
  const ofShop = conditions([
    ['s.api_key_id = ?', keyId],
    ['s.id = ?', shopId],
  ]);
  const { where, values } = conditions(
    [
      [`o.month = to_date(?, 'YYYY-MM')`, filter.month],
      ['o.internal_id = ?', filter.internalId],
      ['o.internal_number = ?', filter.internalNumber],
      comesAfter('o', after),
    ],
    ofShop.values,
  );
  const first = `order by o.created_at, o.id limit ${limit + 1}`;
  // Each shop's first rows come from its index; only rows that are shown are formatted.
  const rows = await readRows(pool, orderRows, {
    text: `select ${COLUMNS} from (
       select o.* from compliance.shops s cross join lateral (select o.* from compliance.orders o where o.shop_id = s.id and ${where} ${first}) o
       where ${ofShop.where} ${first}
     ) o ${first}`,
    values,
  });
  return pageOf(rows, limit, (order) => readOrderDto(order, dialect));
}

/** Null if the key has no such order. */
export async function readOrder(pool: Pool, { keyId, dialect, id }: Reader & { id: string }): Promise<ReadOrder | null> {
  const { where, values } = conditions([
    ['o.id = ?', id],
    ['s.api_key_id = ?', keyId],
  ]);
  const row = await readRow(pool, orderRows, {
    text: `select ${COLUMNS} from compliance.orders o join compliance.shops s on s.id = o.shop_id where ${where}`,
    values,
  });
  return row === null ? null : readOrderDto(row, dialect);
}
