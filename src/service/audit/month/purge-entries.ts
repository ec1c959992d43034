import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { firstMonthInTerm } from '../../law/deadlines.ts';
import { addDays } from '../../law/months.ts';
import { sofiaDay } from '../../law/sofia-day.ts';

/** How long after the term a filed file may be rejected; the agency processes files within days. */
const REJECTION_DAYS = 30;

/** Removes the stored rows of deleted sales, which are kept to make a month's file again, once it is filed and no rejection is to be expected. */
export async function purgeEntries(db: Queryable, now: Date): Promise<number> {
  const firstOpen = firstMonthInTerm(addDays(sofiaDay(now.toISOString()), -REJECTION_DAYS));
  const { rowCount } = await db.query(
    `update compliance.filed_sales s set entry = null from compliance.audit_months m
     where s.entry is not null and m.shop_id = s.shop_id and m.month = s.month and m.state = 'filed' and s.month < to_date($1, 'YYYY-MM')`,
    [firstOpen],
  );
  await db.query(
    `update compliance.deleted_orders d set entry = null from compliance.audit_months m
     where d.entry is not null and m.shop_id = d.shop_id and m.month = coalesce(d.month, d.affects) and m.state = 'filed' and m.month < to_date($1, 'YYYY-MM')`,
    [firstOpen],
  );
  await db.query(
    `update compliance.deleted_orders d set refund = null from compliance.audit_months m
     where d.refund is not null and m.shop_id = d.shop_id and m.month = coalesce(d.month, d.affects) and m.state = 'filed' and m.month < to_date($1, 'YYYY-MM')`,
    [firstOpen],
  );
  return rowCount ?? 0;
}
