import { z } from 'zod';
import type { Pool, Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { sofiaDay } from '../../law/calendar.ts';
import { generationOf } from '../../law/deadlines.ts';
import { missingRates } from '../../rates/missing-rates.ts';
import type { MonthSituation, MonthSummary, Outstanding } from '../summary/month-summary.ts';
import { changesSince } from './changes-since.ts';
import { IS_RETURN, listedOrders } from './counted-month.ts';
import type { AuditDeps } from './generate-month.ts';
import { isSettled, type MonthKey, monthState, storedOutstanding } from './month-state.ts';
import { outstandingByMonth } from './outstanding.ts';
import { readVersion } from './read-versions.ts';
import { type AuditShop, readAuditShop } from './shop-of-month.ts';

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
  returns: z.int(),
  isSettled: z.boolean(),
});
type Row = z.output<typeof listedMonth>;

/**
 * `situation`: as the month's page says it. `overdue`: the day on which its file was to be made has passed. `lacks`: how many changes its last version
 * lacks, for one that is to be filed. `outstanding`: its paid orders that are not recorded; `filedWithout`: those without which it was filed. The last
 * four are absent if it is not so.
 */
export type ListedMonth = Pick<Row, 'month' | 'state' | 'orders' | 'version' | 'filedVersion'> & {
  situation: MonthSituation['kind'];
  overdue?: true;
  lacks?: number;
} & Partial<Pick<MonthSummary, 'outstanding' | 'filedWithout'>>;

const listedMonths = rowsOf('compliance.audit_months', listedMonth);

const MONTHS = `
  select to_char(m.month, 'YYYY-MM') as month, coalesce(a.state, 'open') as state, sum(m.orders)::int as orders, max(m.version)::int as version,
    a.filed_version as "filedVersion", a.filed_without as "filedWithout", a.attempt ->> 'kind' as attempt, coalesce(${isSettled('a')}, false) as "isSettled",
    sum(m.entries) = 0 as "isEmpty", sum(m.returns)::int as returns
  from (
    select month, count(*) as orders, count(*) as entries, 0 as returns, null::int as version from compliance.orders where shop_id = $1 and month is not null group by month
    union all select month, count(*), count(*), 0, null from compliance.filed_sales where shop_id = $1 group by month
    union all select r.month, 0, count(*), count(*) filter (where ${IS_RETURN}), null from compliance.returns r where r.shop_id = $1 group by r.month
    union all select month, 0, 1, 0, version from compliance.audit_files where shop_id = $1
    union all select month, 0, 0, 0, null from compliance.audit_months where shop_id = $1
    union all select to_date(one, 'YYYY-MM'), 0, 1, 0, null from unnest($2::text[]) one
  ) m left join compliance.audit_months a on a.shop_id = $1 and a.month = m.month
  group by m.month, a.shop_id, a.month order by m.month desc`;

/** The months that a shop has orders, returns or files of, or paid orders that are not recorded, newest first. */
export async function listMonths({ pool, now }: Pick<AuditDeps, 'pool' | 'now'>, shopId: string): Promise<ListedMonth[]> {
  const shop = await readAuditShop(pool, shopId);
  if (shop === null) return [];
  const at = now();
  const outstanding = await outstandingByMonth(pool, shopId, at);
  const rows = await readRows(pool, listedMonths, { text: MONTHS, values: [shopId, [...outstanding.keys()]] });
  const listed: ListedMonth[] = [];
  for (const row of rows) {
    const situation = await situationOf(pool, shop, await asListed(pool, { ...row, shopId }, at));
    // It may have been asked for; nothing is known of it.
    if (situation !== 'not-ours') listed.push(await listedOf(pool, row, { shop, situation, left: outstanding.get(row.month), now: at }));
  }
  return listed;
}

type MonthFacts = { shop: AuditShop; situation: ListedMonth['situation']; left: Outstanding | undefined; now: Date };

async function listedOf(pool: Pool, row: Row, { shop, situation, left, now }: MonthFacts): Promise<ListedMonth> {
  const { month, orders, version, filedVersion, filedWithout } = row;
  const state = row.state === 'nothing' && !row.isSettled ? 'open' : row.state;
  return {
    ...{ month, state, situation, orders, version, filedVersion },
    ...(situation === 'open' && isLate(month, shop, now) ? { overdue: true } : {}),
    ...(situation === 'generated' ? await lackOf(pool, { shopId: shop.id, month }, now) : {}),
    ...(left === undefined ? {} : { outstanding: left }),
    ...(state === 'filed' && filedWithout !== null ? { filedWithout } : {}),
  };
}

function isLate(month: string, { details }: AuditShop, now: Date): boolean {
  return sofiaDay(now.toISOString()) > generationOf(month, details.auditGenerationDay);
}

async function situationOf(pool: Pool, { id: shopId, test, since }: AuditShop, row: Row): Promise<ListedMonth['situation']> {
  if (test) return 'test';
  const stored = storedSituation(row, since);
  // As on its page, also before the month is over.
  return stored === 'open' && (await missingRates(pool, { shopId, month: row.month })).length > 0 ? 'blocked' : stored;
}

/** Of a month that was found empty only the orders count that its file would list; else all of them do. */
async function asListed<Of extends MonthKey & Pick<Row, 'attempt' | 'orders'>>(db: Queryable, row: Of, now: Date): Promise<Of> {
  return row.attempt === 'empty' && row.orders > 0 ? { ...row, orders: await listedOrders(db, row, now) } : row;
}

type Judged = Pick<Row, 'month' | 'state' | 'attempt' | 'orders' | 'version' | 'isEmpty' | 'isSettled' | 'returns'>;

/** What a month's page would say of it; `since`: the first month of its shop here. */
export function storedSituation(
  { month, state, attempt, orders, version, isEmpty, isSettled: settled, returns }: Judged,
  since: string,
): ListedMonth['situation'] {
  if (state === 'filed') return 'filed';
  if (settled) return 'nothing';
  if (attempt === 'blocked') return 'blocked';
  if (isEmpty && month < since) return 'not-ours';
  if (attempt === 'empty' && orders === 0) return returns > 0 ? 'returns-only' : 'empty';
  if (version === null) return 'open';
  return state === 'rejected' ? 'rejected' : 'generated';
}

async function lackOf(pool: Pool, key: MonthKey, now: Date): Promise<{ lacks?: number }> {
  const last = await readVersion(pool, key);
  const lacks = last === null ? 0 : (await changesSince(pool, last, now)).count;
  return lacks === 0 ? {} : { lacks };
}
