import { z } from 'zod';
import { typesWithoutReceipt } from '../../../contract/order-dto.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { termAt } from '../../term.ts';
import type { Excerpt, MonthChange } from '../summary/month-summary.ts';
import { summaryLimits } from '../summary/summary-page.ts';
import type { StoredVersion } from './read-versions.ts';
import { headerChanges, headerIn, readAuditShops } from './shop-of-month.ts';

const row = z.union([
  z.object({ documentNumber: z.string(), change: z.enum(['added', 'replaced']), number: z.string(), total: z.string() }),
  z.object({ documentNumber: z.string(), change: z.literal('removed'), number: z.null(), total: z.null() }),
]);
const changes = rowsOf('compliance.orders', z.object({ isFiled: z.boolean(), count: z.int(), rows: z.array(row) }));

// Of an index alone: most of a month are older, and their rows are wide, so the payment is read of the few that are left.
const NEWER = `select n.shop_id, n.month, n.document_number from compliance.orders n
  where n.shop_id = v.shop_id and n.month = v.month and n.recorded_at > v.cut_at offset 0`;

// A sale that was deleted or replaced after its month was closed stays in its file; the return is a change of the month in which the money was given back.
const CHANGED = `
  with listed as materialized (
    select * from compliance.listed_then(v.shop_id, v.month, v.cut_at, v.left_out)
  ), changed as (
    select o.document_number, case when o.edition > 1 then 'replaced' else 'added' end as change, o.internal_number as number, o.accounting_total as total
      from (${NEWER}) n cross join lateral (
        select * from compliance.orders o where o.shop_id = n.shop_id and o.month = n.month and o.document_number = n.document_number offset 0) o
      where o.payment_type <> all(v.left_now)
    union all
    select s.document_number, case when l.id is null then 'added' else 'replaced' end, s.order_number, (s.entry ->> 'accounting_total')::numeric
      from compliance.filed_sales s left join listed l on l.merchant = s.merchant and l.document_number = s.document_number
      where s.shop_id = v.shop_id and s.month = v.month and s.recorded_at > v.cut_at and s.entry is not null
        and l.entry -> 'edition' is distinct from s.entry -> 'edition'
    union all
    select l.document_number, 'removed', null, null
      from listed l where (l.sale_id is null or exists (select from compliance.filed_sales s where s.id = l.sale_id and s.month <> l.month))
        and not exists (select from compliance.orders o where o.merchant = l.merchant and o.document_number = l.document_number and o.month = v.month
          and o.payment_type <> all(v.left_now))
    union all
    select s.document_number, 'replaced', s.order_number, coalesce(r.amount, r.base - coalesce(o.accounting_total, 0))
      from compliance.returns r join compliance.filed_sales s on s.id = r.sale_id left join compliance.orders o on o.sale_id = s.id
      where r.shop_id = v.shop_id and r.month = v.month and r.changed_at > v.cut_at
    union all
    select o.document_number, case when o.payment_type = any(v.left_out) then 'added' else 'removed' end,
      case when o.payment_type = any(v.left_out) then o.internal_number end, o.accounting_total
      from compliance.orders o where v.left_out <> v.left_now and o.shop_id = v.shop_id and o.month = v.month and o.recorded_at <= v.cut_at
        and (o.payment_type = any(v.left_out)) <> (o.payment_type = any(v.left_now))
  )
  select (select count(*)::int from changed) as count, coalesce(json_agg(listed), '[]') as rows from (
    select lpad(document_number::text, 10, '0') as "documentNumber", change, number,
      case when change <> 'removed' then to_char(coalesce(total, 0), 'FM999999999999990.00') end as total
    from changed order by document_number limit ${summaryLimits.rows}
  ) listed`;

const CHANGES = `
  select c.count, c.rows, exists (select from compliance.audit_months a where a.shop_id = v.shop_id and a.month = v.month and a.state = 'filed') as "isFiled"
  from (select w.place, w.shop_id, to_date(w.month, 'YYYY-MM') as month, w.cut_at, w.left_out, compliance.left_out(w.shop_id, to_date(w.month, 'YYYY-MM'), $2, $3) as left_now
      from rows from (jsonb_to_recordset($1) as ("shopId" uuid, month text, "cutAt" timestamptz, "leftOut" text[])) with ordinality w(shop_id, month, cut_at, left_out, place)) v
    cross join lateral (${CHANGED}) c
  order by v.place`;

type Version = Pick<StoredVersion, 'shopId' | 'month' | 'cutAt' | 'header' | 'leftOut'>;

/**
 * What a version of a month's file lacks: another number, domain or company of the shop, orders that were added, replaced or removed since its snapshot,
 * or that the shop leaves out now and did not then, and money given back.
 */
export async function changesSince(db: Queryable, version: Version, now: Date): Promise<Excerpt<MonthChange>> {
  const [only] = await changesOf(db, [version], now);
  return only ?? { count: 0, rows: [] };
}

/** The same of many versions, in the same order. */
export async function changesOf(db: Queryable, versions: readonly Version[], now: Date): Promise<Excerpt<MonthChange>[]> {
  const asked = versions.map(({ shopId, month, cutAt, leftOut }) => ({ shopId, month, cutAt, leftOut }));
  const values = [JSON.stringify(asked), termAt(now).firstOpen, [...typesWithoutReceipt]];
  const found = await readRows(db, changes, { text: CHANGES, values });
  const shops = new Map((await readAuditShops(db, [...new Set(versions.map(({ shopId }) => shopId))])).map((shop) => [shop.id, shop]));
  return versions.map(({ header, shopId, month }, place) => {
    const { isFiled = false, count = 0, rows = [] } = found[place] ?? {};
    const shop = shops.get(shopId);
    // A month that is filed keeps the header of its file.
    const other = shop === undefined || isFiled ? [] : headerChanges(header, headerIn(shop.headers, month));
    return { count: other.length + count, rows: [...other, ...rows] };
  });
}
