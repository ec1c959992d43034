import { firstMonthInTerm } from './deadlines.ts';
import { monthOf } from './months.ts';
import { sofiaDay } from './sofia-day.ts';

/**
 * The month whose file lists an order that is recorded on a day, by its time of creation: that of its date, never one to come, and the first one in
 * term if that is over. Whether a person closed a month before the end of its term is not known here; `compliance.month_for` knows it.
 */
export function listingMonth(createdAt: string, today: string): string {
  const [own, now, first] = [monthOf(sofiaDay(createdAt)), monthOf(today), firstMonthInTerm(today)];
  const target = own < now ? own : now;
  return target > first ? target : first;
}
