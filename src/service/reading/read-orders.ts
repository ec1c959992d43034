import { z } from 'zod';
import type { Dialect } from '../../contract/dialect.ts';
import { encodeAmount } from '../../contract/order-dto.ts';
import { taxRecord } from '../../contract/record.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { isoText, readOne, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { type OrderDto, orderDto, RECORD_OF_ORDER, recordTotals } from '../orders/order-dto.ts';
import { doubtsOf, orderDoubts } from '../orders/questionable-orders.ts';
import { buyerColumn, openBuyerOrNull } from '../privacy/sealed-buyer.ts';
import { storedRate } from '../rates/exchange-rate.ts';
import { comesAfter, conditions, cursorText, type ListPage, type OrdersQuery, pageOf } from './listing.ts';
import type { KeyScope } from './read-shops.ts';

type Reader = KeyScope & { dialect: Dialect };

const COLUMNS = `
  o.id, o.shop_id as "shopId", (select t.test from compliance.shops t where t.id = o.shop_id) as test, ${isoText('o.created_at')} as "createdAt", o.customer, ${cursorText('o')} as cursor,
    ${RECORD_OF_ORDER} as record,
    lpad(o.document_number::text, 10, '0') as "documentNumber", o.document_date::text as "documentDate", o.edition, to_char(o.month, 'YYYY-MM') as month,
    o.delivered_at as "deliveredAt",
    o.accounting_currency as "accountingCurrency", o.accounting_total::text as "accountingTotal", o.accounting_vat::text as "accountingVat", o.exchange, ${doubtsOf('o.id')} as doubts`;

/** An order as it is stored. */
const listedOrder = z.object({
  id: z.string(),
  shopId: z.string(),
  test: z.boolean(),
  createdAt: z.string(),
  customer: buyerColumn,
  record: taxRecord,
  documentNumber: z.string(),
  documentDate: z.string(),
  edition: z.int(),
  month: z.string().nullable(),
  deliveredAt: z.string().nullable(),
  accountingCurrency: z.string(),
  accountingTotal: z.string().nullable(),
  accountingVat: z.string().nullable(),
  exchange: storedRate.nullable(),
  doubts: orderDoubts,
});

const orderRows = rowsOf('compliance.orders', listedOrder.extend({ cursor: z.string() }));

/** The orders of a key's shops, oldest first; amounts in the dialect's unit. */
export async function listOrders(pool: Pool, { keyId, dialect, limit, after, shopId, ...filter }: Reader & OrdersQuery): Promise<ListPage<ReadOrder>> {
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
  return pageOf(rows, limit, (order) => readOrderDto(pool, order, dialect));
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
  return row === null ? null : readOrderDto(pool, row, dialect);
}

/**
 * Fields that the list adds to an `OrderDto`: the document's number and day, the month whose file lists it, when it was delivered (ISO 8601, as it was
 * said; null: nobody said so), and its amounts in the accounting currency.
 */
export type ReadOrder = OrderDto &
  Pick<z.output<typeof listedOrder>, 'documentNumber' | 'documentDate' | 'edition' | 'month' | 'deliveredAt' | 'accountingCurrency' | 'exchange'> & {
    accountingTotal: number | null;
    accountingVat: number | null;
    /** The buyer is kept, and does not open. */
    unreadable?: 'customer';
  };

/** Accounting amounts have two decimals. */
const ACCOUNTING_DECIMALS = 2;

/** Amounts in the unit of a dialect. */
function readOrderDto(pool: Pool, stored: z.output<typeof listedOrder>, dialect: Dialect): ReadOrder {
  const { customer: sealed, documentNumber, documentDate, edition, month, deliveredAt, accountingCurrency, exchange } = stored;
  const customer = openBuyerOrNull(pool, stored.id, sealed);
  const amount = (value: string | null) => (value === null ? null : encodeAmount(value, ACCOUNTING_DECIMALS, dialect.amounts));
  return {
    ...orderDto({ ...stored, customer, totals: recordTotals(stored.record), dialect }),
    ...{ documentNumber, documentDate, edition, month, deliveredAt, accountingCurrency },
    accountingTotal: amount(stored.accountingTotal),
    accountingVat: amount(stored.accountingVat),
    exchange,
    ...(sealed !== null && customer === null ? { unreadable: 'customer' as const } : {}),
  };
}

const idRows = rowsOf('compliance.orders', z.object({ id: z.string() }));
const presence = rowsOf('compliance.orders', z.object({ isHere: z.boolean() }));

/** The orders with this document number (ten digits): one a merchant at most. None where there is no service of our own. */
export async function ordersByDocument(pool: Pool, documentNumber: string): Promise<string[]> {
  const { isHere } = await readOne(pool, presence, { text: `select to_regclass('compliance.orders') is not null as "isHere"` });
  if (!isHere) return [];
  // Each shop's index has the number after the month.
  const rows = await readRows(pool, idRows, {
    text: `select o.id from compliance.shops s cross join lateral (
        select o.id from compliance.orders o where o.shop_id = s.id and o.document_number = $1) o limit 50`,
    values: [documentNumber],
  });
  return rows.map(({ id }) => id);
}

const documentRows = rowsOf('compliance.orders', z.object({ id: z.string(), number: z.string() }));

/** The document numbers of these orders, by their ids (UUIDs); those that are not here are absent. */
export async function documentNumbers(pool: Pool, ids: readonly string[]): Promise<Map<string, string>> {
  const text = `select id, lpad(document_number::text, 10, '0') as number from compliance.orders where id = any($1::uuid[])`;
  return new Map((await readRows(pool, documentRows, { text, values: [ids] })).map(({ id, number }) => [id, number]));
}
