import type { Connection } from '../../bridge/connections/connection.ts';
import { firstMonthInTerm } from '../../service/law/deadlines.ts';
import { addMonths, monthOf } from '../../service/law/months.ts';
import { sofiaDay } from '../../service/law/sofia-day.ts';
import { filedMonths } from './read-records.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';

/**
 * In which month's file a sale would stand that is recorded now: that of its day in Bulgaria, or the earliest one after it whose term is not over and
 * that is not marked as filed, as far as the service says that.
 */
export async function fileMonth(deps: ReconcileDeps, connection: Connection): Promise<(soldAt: string) => string> {
  const today = sofiaDay(new Date(deps.now()).toISOString());
  const filed = await filedMonths(deps, connection);
  const first = firstMonthInTerm(today);
  return (soldAt) => {
    const own = monthOf(sofiaDay(soldAt));
    let month = own < first ? first : own;
    while (month < monthOf(today) && filed.has(month)) month = addMonths(month, 1);
    return month;
  };
}
