import { z } from 'zod';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { MonthSummary } from '../summary/month-summary.ts';
import type { AuditDeps } from './generate-month.ts';
import { monthState } from './month-state.ts';
import { outstandingByMonth } from './outstanding.ts';
import { storedOutstanding } from './stored-outstanding.ts';

/** A month of a shop; `orders` are those that its file lists, `version` is the last one. */
const listedMonth = z.object({
  filedWithout: storedOutstanding.nullable(),
  month: z.string(),
  state: monthState,
  orders: z.int(),
  version: z.int().nullable(),
  filedVersion: z.int().nullable(),
});
/** `outstanding`: its paid orders that are not recorded; `filedWithout`: those without which it was filed. Both are absent if there is none. */
export type ListedMonth = Omit<z.output<typeof listedMonth>, 'filedWithout'> & Partial<Pick<MonthSummary, 'outstanding' | 'filedWithout'>>;

const listedMonths = rowsOf('compliance.audit_months', listedMonth);

/** The months that a shop has orders, returns or files of, or paid orders that are not recorded, newest first. */
export async function listMonths({ pool, now }: Pick<AuditDeps, 'pool' | 'now'>, shopId: string): Promise<ListedMonth[]> {
  const outstanding = await outstandingByMonth(pool, shopId, now());
  const rows = await readRows(pool, listedMonths, {
    text: `select to_char(m.month, 'YYYY-MM') as month, coalesce(a.state, 'open') as state, sum(m.orders)::int as orders, max(m.version)::int as version,
       a.filed_version as "filedVersion", a.filed_without as "filedWithout"
     from (
       select month, count(*) as orders, null::int as version from compliance.orders where shop_id = $1 and month is not null group by month
       union all select month, count(*), null from compliance.filed_sales where shop_id = $1 group by month
       union all select month, 0, null from compliance.returns where shop_id = $1
       union all select month, 0, version from compliance.audit_files where shop_id = $1
       union all select month, 0, null from compliance.audit_months where shop_id = $1
       union all select to_date(one, 'YYYY-MM'), 0, null from unnest($2::text[]) one
     ) m left join compliance.audit_months a on a.shop_id = $1 and a.month = m.month
     group by m.month, a.state, a.filed_version, a.filed_without order by m.month desc`,
    values: [shopId, [...outstanding.keys()]],
  });
  return rows.map(({ filedWithout, ...row }) => {
    const left = outstanding.get(row.month);
    return { ...row, ...(left === undefined ? {} : { outstanding: left }), ...(row.state === 'filed' && filedWithout !== null ? { filedWithout } : {}) };
  });
}
