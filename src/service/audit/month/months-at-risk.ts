import { byName } from '../../../contract/local-text.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { sofiaDay } from '../../law/calendar.ts';
import { deadlineOf, firstMonthInTerm, reminderOf } from '../../law/deadlines.ts';
import { boardShops, isDue, type MonthOutline, outlineMonths } from './month-board.ts';

/** late: its term is over. due: it ends soon. blocked: its file can't be made. `shops`: the names of those concerned; `deadline`: the last day of the term. */
export type MonthAtRisk = { month: string; risk: 'late' | 'due' | 'blocked'; shops: string[]; deadline: string };

/** Months that are not marked as filed although they should be, or can't be, as the board has them: the oldest first, each with its worst risk. */
export async function monthsAtRisk(db: Queryable, now: Date): Promise<MonthAtRisk[]> {
  const today = sofiaDay(now.toISOString());
  const shops = await boardShops(db, null);
  const names = new Map(shops.map(({ id, name }) => [id, name]));
  const risky = (await outlineMonths({ pool: db, now: () => now }, shops)).flatMap((one) => {
    const risk = riskOf(one, today);
    return risk === null ? [] : [{ month: one.month, shop: names.get(one.shopId) ?? '', risk }];
  });
  const sorted = risky.toSorted((a, b) => (a.month === b.month ? byName(a.shop, b.shop) : a.month < b.month ? -1 : 1));
  return [...Map.groupBy(sorted, ({ month, risk }) => `${month} ${risk}`).values()].flatMap((of) => {
    const [first] = of;
    return first === undefined ? [] : [{ month: first.month, risk: first.risk, shops: of.map(({ shop }) => shop), deadline: deadlineOf(first.month) }];
  });
}

function riskOf(outline: MonthOutline, today: string): MonthAtRisk['risk'] | null {
  const { month, situation } = outline;
  if (!isDue(outline)) return null;
  if (month < firstMonthInTerm(today)) return 'late';
  if (situation === 'blocked') return 'blocked';
  return today >= reminderOf(month) ? 'due' : null;
}
