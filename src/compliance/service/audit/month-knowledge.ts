import type pg from 'pg';
import { z } from 'zod';
import type { MonthOf } from './read-month.ts';
import type { Excerpt, VoidedNumber } from './summary/month-summary.ts';
import { summaryLimits } from './summary/summary-limits.ts';

/**
 * Document numbers of the shop's merchants that are between the month's own and not in its file: voided, of another shop, or of another month. Only
 * what is none of these is a gap.
 */
export async function explainedNumbers(client: pg.ClientBase, { shopId, month }: Pick<MonthOf, 'shopId' | 'month'>): Promise<number[]> {
  const { rows } = await client.query<{ number: string }>(
    `with own as (
       select merchant, min(document_number) as lowest, max(document_number) as highest
       from compliance.orders where shop_id = $1 and month = to_date($2, 'YYYY-MM') group by merchant
     )
     select o.document_number::text as number from own join compliance.orders o
       on o.merchant = own.merchant and o.document_number between own.lowest and own.highest
       where (o.shop_id, o.month) is distinct from ($1::uuid, to_date($2, 'YYYY-MM'))
     union select s.document_number::text from own, compliance.filed_sales s where s.document_number between own.lowest and own.highest
     union select v.number::text from own join compliance.voided_numbers v on v.merchant = own.merchant and v.number between own.lowest and own.highest`,
    [shopId, month],
  );
  return rows.map(({ number }) => Number(number));
}

const voided = z.object({ count: z.int(), rows: z.array(z.object({ documentNumber: z.string(), voidedOn: z.string() })) });

/** Numbers that the deleted orders of a month had, and that nothing bears now. */
export async function voidedNumbers(client: pg.ClientBase | pg.Pool, { shopId, month }: Pick<MonthOf, 'shopId' | 'month'>): Promise<Excerpt<VoidedNumber>> {
  const { rows } = await client.query(
    `with gone as (
       select d.document_number, d.deleted_at from compliance.deleted_orders d
       where d.shop_id = $1 and d.month = to_date($2, 'YYYY-MM') and d.sale_id is null and d.replaced_by is null and d.document_number is not null
     )
     select (select count(*)::int from gone) as count, coalesce(json_agg(listed), '[]') as rows from (
       select lpad(document_number::text, 10, '0') as "documentNumber", (deleted_at at time zone 'Europe/Sofia')::date::text as "voidedOn"
       from gone order by document_number limit ${summaryLimits.rows}
     ) listed`,
    [shopId, month],
  );
  return voided.parse(rows[0]);
}
