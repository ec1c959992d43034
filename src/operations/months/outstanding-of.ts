import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../service/audit/month/month-key.ts';
import { readOutstanding } from '../../service/audit/month/outstanding.ts';
import type { Outstanding } from '../../service/audit/summary/month-summary.ts';

/** The paid orders of a month that are not recorded; undefined: none, or nothing is known of any. */
export function outstandingOf({ pool, now }: Pick<AuditDeps, 'pool' | 'now'>, key: MonthKey): Promise<Outstanding | undefined> {
  return readOutstanding(pool, key, now());
}
