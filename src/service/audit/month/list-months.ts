import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { MonthSituation, MonthSummary } from '../summary/month-summary.ts';
import { changesSince } from './changes-since.ts';
import type { AuditDeps } from './generate-month.ts';
import type { MonthKey } from './month-key.ts';
import { isSettled, monthState } from './month-state.ts';
import { outstandingByMonth } from './outstanding.ts';
import { readVersion } from './read-versions.ts';
import { readAuditShop } from './shop-of-month.ts';
import { storedOutstanding } from './stored-outstanding.ts';

/** A month of a shop; `orders` are those that its file lists, `version` is the last one. */
const listedMonth = z.object({
  filedWithout: storedOutstanding.nullable(),
  month: z.string(),
  state: monthState,
  orders: z.int(),
  version: z.int().nullable(),
  filedVersion: z.int().nullable(),
  attempt: z.enum(['blocked', 'empty']).nullable(),
  isEmpty: z.boolean(),
  isSettled: z.boolean(),
});
type Row = z.output<typeof listedMonth>;

/**
 * `situation`: as the month's page says it. `lacks`: how many changes its last version lacks, for one that is to be filed. `outstanding`: its paid orders
 * that are not recorded; `filedWithout`: those without which it was filed. The last three are absent if there is none.
 */
export type ListedMonth = Pick<Row, 'month' | 'state' | 'orders' | 'version' | 'filedVersion'> & {
  situation: MonthSituation['kind'];
  lacks?: number;
} & Partial<Pick<MonthSummary, 'outstanding' | 'filedWithout'>>;

const listedMonths = rowsOf('compliance.audit_months', listedMonth);

const MONTHS = `
  select to_char(m.month, 'YYYY-MM') as month, coalesce(a.state, 'open') as state, sum(m.orders)::int as orders, max(m.version)::int as version,
    a.filed_version as "filedVersion", a.filed_without as "filedWithout", a.attempt ->> 'kind' as attempt, coalesce(${isSettled('a')}, false) as "isSettled",
    sum(m.entries) = 0 as "isEmpty"
  from (
    select month, count(*) as orders, count(*) as entries, null::int as version from compliance.orders where shop_id = $1 and month is not null group by month
    union all select month, count(*), count(*), null from compliance.filed_sales where shop_id = $1 group by month
    union all select month, 0, count(*), null from compliance.returns where shop_id = $1 group by month
    union all select month, 0, 1, version from compliance.audit_files where shop_id = $1
    union all select month, 0, 0, null from compliance.audit_months where shop_id = $1
    union all select to_date(one, 'YYYY-MM'), 0, 1, null from unnest($2::text[]) one
  ) m left join compliance.audit_months a on a.shop_id = $1 and a.month = m.month
  group by m.month, a.shop_id, a.month order by m.month desc`;

/** The months that a shop has orders, returns or files of, or paid orders that are not recorded, newest first. */
export async function listMonths({ pool, now }: Pick<AuditDeps, 'pool' | 'now'>, shopId: string): Promise<ListedMonth[]> {
  const shop = await readAuditShop(pool, shopId);
  if (shop === null) return [];
  const outstanding = await outstandingByMonth(pool, shopId, now());
  const rows = await readRows(pool, listedMonths, { text: MONTHS, values: [shopId, [...outstanding.keys()]] });
  const listed: ListedMonth[] = [];
  for (const row of rows) {
    const { month, orders, version, filedVersion, filedWithout } = row;
    const situation = situationOf(row, shop.since);
    const state = row.state === 'nothing' && !row.isSettled ? 'open' : row.state;
    const left = outstanding.get(month);
    const lacks = situation === 'generated' ? await changesOf(pool, { shopId, month }) : 0;
    listed.push({
      ...{ month, state, situation, orders, version, filedVersion },
      ...(lacks === 0 ? {} : { lacks }),
      ...(left === undefined ? {} : { outstanding: left }),
      ...(state === 'filed' && filedWithout !== null ? { filedWithout } : {}),
    });
  }
  return listed;
}

function situationOf({ month, state, attempt, orders, version, isEmpty, isSettled: settled }: Row, since: string): ListedMonth['situation'] {
  if (state === 'filed') return 'filed';
  if (settled) return 'nothing';
  if (attempt === 'blocked') return 'blocked';
  if (isEmpty && month < since) return 'not-ours';
  if (attempt === 'empty' && orders === 0) return 'empty';
  if (version === null) return 'open';
  return state === 'rejected' ? 'rejected' : 'generated';
}

async function changesOf(pool: Pool, key: MonthKey): Promise<number> {
  const last = await readVersion(pool, key);
  return last === null ? 0 : (await changesSince(pool, last)).count;
}
