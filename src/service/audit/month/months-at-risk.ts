import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { addMonths, monthOf, sofiaDay } from '../../law/calendar.ts';
import { deadlineOf, firstMonthInTerm, reminderOf } from '../../law/deadlines.ts';
import { isSettled } from './month-state.ts';

/** How far back months are looked for of which no file was ever made: as far as the board of months does. */
const UNMADE_MONTHS = 25;

const riskRows = rowsOf('compliance.audit_months', z.object({ month: z.string(), shop: z.string(), isBlocked: z.boolean() }));

/** late: its term is over. due: it ends soon. blocked: its file can't be made. `shops`: the names of those concerned; `deadline`: the last day of the term. */
export type MonthAtRisk = { month: string; risk: 'late' | 'due' | 'blocked'; shops: string[]; deadline: string };

// With the ids of shops: two may have one name. A month without orders and without a file needs none, and neither does one that is settled; a test shop
// never does. Sales of a closed month may all be deleted.
const UNFILED = `
  select to_char(a.month, 'YYYY-MM') as month, coalesce(s.details ->> 'name', s.id::text) as shop, coalesce(a.attempt ->> 'kind' = 'blocked', false) as "isBlocked", s.id
  from compliance.audit_months a join compliance.shops s on s.id = a.shop_id
  where not s.test and ((a.state in ('generated', 'rejected') and a.attempt ->> 'kind' is distinct from 'empty')
    or (a.state in ('open', 'nothing') and a.attempt ->> 'kind' = 'blocked' and not ${isSettled('a')}))
  union
  select to_char(m, 'YYYY-MM'), coalesce(s.details ->> 'name', s.id::text), false, s.id
  from compliance.shops s cross join generate_series($1::date, $2::date, interval '1 month') m
    left join compliance.audit_months a on a.shop_id = s.id and a.month = m::date
  where not s.test and coalesce(a.state, 'open') <> 'filed' and a.attempt ->> 'kind' is distinct from 'blocked' and not coalesce(${isSettled('a')}, false)
    and (exists (select from compliance.orders o where o.shop_id = s.id and o.month = m::date and (a.attempt is null or o.recorded_at > a.attempted_at))
      or exists (select from compliance.filed_sales f where f.shop_id = s.id and f.month = m::date))
  order by 1, 2`;

/** Months that are not marked as filed although they should be, or can't be: the oldest first, each with its worst risk. */
export async function monthsAtRisk(db: Queryable, now: Date): Promise<MonthAtRisk[]> {
  const today = sofiaDay(now.toISOString());
  const last = addMonths(monthOf(today), -1);
  const rows = await readRows(db, riskRows, { text: UNFILED, values: [`${addMonths(last, 1 - UNMADE_MONTHS)}-01`, `${last}-01`] });
  const risky = rows.flatMap((row) => {
    const risk = riskOf(row, today);
    return risk === null ? [] : [{ ...row, risk }];
  });
  return [...Map.groupBy(risky, ({ month, risk }) => `${month} ${risk}`).values()].flatMap((of) => {
    const [first] = of;
    return first === undefined ? [] : [{ month: first.month, risk: first.risk, shops: of.map(({ shop }) => shop), deadline: deadlineOf(first.month) }];
  });
}

function riskOf({ month, isBlocked }: z.output<typeof riskRows.schema>, today: string): MonthAtRisk['risk'] | null {
  if (month < firstMonthInTerm(today)) return 'late';
  if (isBlocked) return 'blocked';
  return today >= reminderOf(month) ? 'due' : null;
}
