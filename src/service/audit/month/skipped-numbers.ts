import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { MonthSummary } from '../summary/month-summary.ts';
import { summaryLimits } from '../summary/summary-limits.ts';
import type { MonthKey } from './month-key.ts';

const skipped = rowsOf(
  'compliance.skipped_numbers',
  z.object({ count: z.int(), rows: z.array(z.object({ from: z.string(), to: z.string(), skippedOn: z.string(), why: z.string() })) }),
);

const SKIPPED = `
  with own as (
    select min(document_number) as lowest, max(document_number) as highest from compliance.orders where shop_id = $1 and month = to_date($2, 'YYYY-MM')
  ), ranges as (
    select k.first, k.last, k.why, (k.at at time zone 'Europe/Sofia')::date as on_day
    from compliance.shops s join compliance.skipped_numbers k on k.merchant = s.merchant cross join own where s.id = $1
  ), named as (
    select r.* from ranges r cross join own where r.first between own.lowest and own.highest or date_trunc('month', r.on_day) = to_date($2, 'YYYY-MM')
  )
  select (select count(*)::int from named) as count, coalesce(json_agg(listed), '[]') as rows from (
    select lpad(first::text, 10, '0') as "from", lpad(last::text, 10, '0') as "to", on_day::text as "skippedOn", why
    from named order by first limit ${summaryLimits.rows}
  ) listed`;

/** Numbers that nobody gets, between those of the month, or skipped in its days: why its documents do not follow one another. Nothing if there is none. */
export async function readSkippedNumbers(db: Queryable, { shopId, month }: MonthKey): Promise<Pick<MonthSummary, 'skipped'>> {
  const found = await readOne(db, skipped, { text: SKIPPED, values: [shopId, month] });
  return found.count === 0 ? {} : { skipped: found };
}
