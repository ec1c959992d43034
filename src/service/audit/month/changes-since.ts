import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { Excerpt, HeaderChange, MonthChange } from '../summary/month-summary.ts';
import { summaryLimits } from '../summary/summary-page.ts';
import { leftOutOf } from './counted-month.ts';
import { readMonthState } from './month-state.ts';
import type { StoredVersion } from './read-versions.ts';
import { headerChanges, headerIn, readAuditShop } from './shop-of-month.ts';

const row = z.union([
  z.object({ documentNumber: z.string(), change: z.enum(['added', 'replaced']), number: z.string(), total: z.string() }),
  z.object({ documentNumber: z.string(), change: z.literal('removed'), number: z.null(), total: z.null() }),
]);
const changes = rowsOf('compliance.orders', z.object({ count: z.int(), rows: z.array(row) }));

// Of an index alone: most of a month are older, and their rows are wide.
const NEWER = `select n.shop_id, n.month, n.document_number from compliance.orders n
  where n.shop_id = $1 and n.month = to_date($2, 'YYYY-MM') and n.recorded_at > $3::timestamptz offset 0`;

// A sale that was deleted or replaced after its month was closed stays in its file; the return is a change of the month in which the money was given back.
const CHANGES = `
  with listed as materialized (
    select * from compliance.listed_then($1, to_date($2, 'YYYY-MM'), $3::timestamptz, $4::text[])
  ), changed as (
    select o.document_number, case when o.edition > 1 then 'replaced' else 'added' end as change, o.internal_number as number, o.accounting_total as total
      from (${NEWER}) n join compliance.orders o on o.shop_id = n.shop_id and o.month = n.month and o.document_number = n.document_number
    union all
    select s.document_number, case when l.id is null then 'added' else 'replaced' end, s.order_number, (s.entry ->> 'accounting_total')::numeric
      from compliance.filed_sales s left join listed l on l.merchant = s.merchant and l.document_number = s.document_number
      where s.shop_id = $1 and s.month = to_date($2, 'YYYY-MM') and s.recorded_at > $3::timestamptz and s.entry is not null
        and l.entry -> 'edition' is distinct from s.entry -> 'edition'
    union all
    select d.document_number, 'removed', null, null
      from compliance.deleted_orders d where d.shop_id = $1 and d.month = to_date($2, 'YYYY-MM')
        and (d.sale_id is null or exists (select from compliance.filed_sales s where s.id = d.sale_id and s.month <> d.month))
        and d.recorded_at > $3::timestamptz and d.recorded_from <= $3::timestamptz
        and not exists (select from compliance.orders o
          where o.merchant = d.merchant and o.document_number = d.document_number and o.month = to_date($2, 'YYYY-MM'))
    union all
    select s.document_number, 'replaced', s.order_number, coalesce(r.amount, r.base - coalesce(o.accounting_total, 0))
      from compliance.returns r join compliance.filed_sales s on s.id = r.sale_id left join compliance.orders o on o.sale_id = s.id
      where r.shop_id = $1 and r.month = to_date($2, 'YYYY-MM') and r.changed_at > $3::timestamptz
    union all
    select o.document_number, case when o.payment_type = any($4::text[]) then 'added' else 'removed' end,
      case when o.payment_type = any($4) then o.internal_number end, o.accounting_total
      from compliance.orders o where $4 <> $5::text[] and o.shop_id = $1 and o.month = to_date($2, 'YYYY-MM') and o.recorded_at <= $3::timestamptz
        and (o.payment_type = any($4)) <> (o.payment_type = any($5))
  )
  select (select count(*)::int from changed) as count, coalesce(json_agg(listed), '[]') as rows from (
    select lpad(document_number::text, 10, '0') as "documentNumber", change, number,
      case when change <> 'removed' then to_char(coalesce(total, 0), 'FM999999999999990.00') end as total
    from changed order by document_number limit ${summaryLimits.rows}
  ) listed`;

type Version = Pick<StoredVersion, 'shopId' | 'month' | 'cutAt' | 'header' | 'leftOut'>;

/**
 * What a version of a month's file lacks: another number, domain or company of the shop, orders that were added, replaced or removed since its snapshot,
 * or that the shop leaves out now and did not then, and money given back.
 */
export async function changesSince(db: Queryable, version: Version, now: Date): Promise<Excerpt<MonthChange>> {
  const { shopId, month, cutAt, leftOut } = version;
  const header = await otherHeader(db, version);
  const { count, rows } = await readOne(db, changes, { text: CHANGES, values: [shopId, month, cutAt, leftOut, await leftOutOf(db, version, now)] });
  return { count: header.length + count, rows: [...header, ...rows] };
}

/** A month that is filed keeps the header of its file. */
async function otherHeader(db: Queryable, { header, ...key }: Version): Promise<HeaderChange[]> {
  const shop = await readAuditShop(db, key.shopId);
  if (shop === null || (await readMonthState(db, key)).state === 'filed') return [];
  return headerChanges(header, headerIn(shop.headers, key.month));
}
