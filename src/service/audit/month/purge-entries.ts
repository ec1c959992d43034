import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { addDays, sofiaDay } from '../../law/calendar.ts';
import { firstMonthInTerm } from '../../law/deadlines.ts';

/** How long after the term a filed file may be rejected; the agency processes files within days. */
const REJECTION_DAYS = 30;
/** How long after the term a file that nobody marked as filed may still be made, or marked. */
const UNMARKED_DAYS = 365;

const old = (month: string) => `${month} < to_date($1, 'YYYY-MM') and (m.state = 'filed' or ${month} < to_date($2, 'YYYY-MM'))`;

/**
 * Removes the stored rows of deleted orders, which are kept to make a month's file again: once it is filed and no rejection is to be expected, or a year
 * after its term if nobody said so. Returns how many sales of closed months lost theirs.
 */
export async function purgeEntries(db: Queryable, now: Date): Promise<number> {
  const today = sofiaDay(now.toISOString());
  const values = [REJECTION_DAYS, UNMARKED_DAYS].map((days) => firstMonthInTerm(addDays(today, -days)));
  const { rowCount } = await db.query(
    `update compliance.filed_sales s set entry = null from compliance.filed_sales f left join compliance.audit_months m on m.shop_id = f.shop_id and m.month = f.month
     where s.id = f.id and f.entry is not null and ${old('f.month')}`,
    values,
  );
  await db.query(
    `update compliance.deleted_orders d set entry = null, listed_number = null, refund = null
     from compliance.deleted_orders e left join compliance.audit_months m on m.shop_id = e.shop_id and m.month = coalesce(e.month, e.affects)
     where d.id = e.id and (e.entry is not null or e.refund is not null) and ${old('coalesce(e.month, e.affects)')}`,
    values,
  );
  return rowCount ?? 0;
}
