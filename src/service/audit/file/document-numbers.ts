import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { Gap } from '../format/number-gaps.ts';
import type { Excerpt, VoidedNumber } from '../summary/month-summary.ts';
import { summaryLimits } from '../summary/summary-limits.ts';
import type { MonthOf } from './read-month.ts';

const gaps = rowsOf('compliance.orders', z.object({ from: z.string(), to: z.string() }));

/**
 * Unaccounted document numbers between the month's own: no order of the merchant in any month or shop has them, and they are not voided or skipped. There
 * are none unless the database was changed by hand.
 */
export async function numberGapsOf(client: Queryable, { shopId, month }: Pick<MonthOf, 'shopId' | 'month'>): Promise<Gap[]> {
  const rows = await readRows(client, gaps, {
    text: `with own as (
       select merchant, min(document_number) as lowest, max(document_number) as highest
       from compliance.orders where shop_id = $1 and month = to_date($2, 'YYYY-MM') group by merchant
     ), known as (
       select o.merchant, o.document_number as number from own join compliance.orders o on o.merchant = own.merchant and o.document_number between lowest and highest
       union select s.merchant, s.document_number from own join compliance.filed_sales s on s.merchant = own.merchant and s.document_number between lowest and highest
       union select v.merchant, v.number from own join compliance.voided_numbers v on v.merchant = own.merchant and v.number between lowest and highest
     ), runs as (
       select merchant, number as first, number as last from known
       union all select k.merchant, k.first, k.last from own join compliance.skipped_numbers k on k.merchant = own.merchant and k.first between lowest and highest
     )
     select (last + 1)::text as "from", (next - 1)::text as "to"
     from (select last, lead(first) over (partition by merchant order by first) as next from runs) pairs where next > last + 1 limit 200`,
    values: [shopId, month],
  });
  return rows.map(({ from, to }) => ({ from: Number(from), to: Number(to) }));
}

const voided = rowsOf('compliance.deleted_orders', z.object({ count: z.int(), rows: z.array(z.object({ documentNumber: z.string(), voidedOn: z.string() })) }));

/** Numbers of deleted orders of a month that were not replaced. */
export async function voidedNumbers(client: Queryable, { shopId, month }: Pick<MonthOf, 'shopId' | 'month'>): Promise<Excerpt<VoidedNumber>> {
  return readOne(client, voided, {
    text: `with gone as (
       select d.document_number, d.deleted_at from compliance.deleted_orders d
       where d.shop_id = $1 and d.month = to_date($2, 'YYYY-MM') and d.sale_id is null and d.replaced_by is null and d.document_number is not null
     )
     select (select count(*)::int from gone) as count, coalesce(json_agg(listed), '[]') as rows from (
       select lpad(document_number::text, 10, '0') as "documentNumber", (deleted_at at time zone 'Europe/Sofia')::date::text as "voidedOn"
       from gone order by document_number limit ${summaryLimits.rows}
     ) listed`,
    values: [shopId, month],
  });
}
