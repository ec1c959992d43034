import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';

/**
 * Rows of mails about months that failed and still matter: the month is not settled, and no later version was made. With `shop_id`, `month` (text),
 * and whether another address of the shop has the same mail (`reached`).
 */
export const FAILED_MONTH_MAILS = `
  select m.shop_id, key.month, exists (select from compliance.mails o where o.shop_id = m.shop_id and o.kind = m.kind and o.ref = m.ref and o.sent_at is not null) as reached
  from compliance.mails m
  left join compliance.audit_files f on m.kind = 'audit-file' and f.id = (m.ref ->> 'fileId')::uuid
  cross join lateral (select coalesce(to_char(f.month, 'YYYY-MM'), m.ref ->> 'month') as month) key
  where m.failed_at is not null and m.kind in ('audit-file', 'audit-month', 'audit-reminder') and key.month is not null
    and not exists (select from compliance.audit_months a where a.shop_id = m.shop_id and a.month = to_date(key.month, 'YYYY-MM') and a.state in ('filed', 'nothing'))
    and not exists (select from compliance.audit_files later where later.shop_id = f.shop_id and later.month = f.month and later.version > f.version)`;

const failedRows = rowsOf('compliance.mails', z.object({ month: z.string(), shop: z.string(), mails: z.int(), reached: z.boolean() }));

/** Mails about a month that did not reach an address of a shop. `reached`: another address of it has them. */
export type FailedMonthMails = z.output<typeof failedRows.schema>;

/** By month and name of the shop. */
export function failedMonthMails(db: Queryable): Promise<FailedMonthMails[]> {
  return readRows(db, failedRows, {
    text: `select failed.month, coalesce(s.details ->> 'name', s.id::text) as shop, count(*)::int as mails, bool_and(failed.reached) as reached
      from (${FAILED_MONTH_MAILS}) failed join compliance.shops s on s.id = failed.shop_id group by failed.month, s.id, s.details order by 1, 2`,
  });
}
