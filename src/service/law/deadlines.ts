import { limits } from '../../contract/limits.ts';
import { addMonths, monthOf, sofiaDay, workingDayFrom } from './calendar.ts';

/** The file of a month is due on this day of the next (Наредба Н-18, чл. 52т, ал. 2). */
const DUE_DAY = 15;
/**
 * The last day on which a file is made for the first time, whatever the shop's day is. On it the merchant is also reminded of a file that is not marked
 * as filed: early enough for a correction within the term.
 */
export const LATEST_DAY = limits.timelyGenerationDay;

const REMEMBERED = 1_000;
// Lists ask for the same few of each of thousands of rows.
const deadlines = new Map<string, string>();

/** The last day on which the file of a month may be filed: a term that ends on a free day ends on the next working day (ДОПК, чл. 22). */
export function deadlineOf(month: string): string {
  const day = deadlines.get(month) ?? workingDayFrom(`${addMonths(month, 1)}-${DUE_DAY}`);
  if (deadlines.size < REMEMBERED) deadlines.set(month, day);
  return day;
}

/** The earliest month whose deadline has not passed on a day. */
export function firstMonthInTerm(day: string): string {
  const previous = addMonths(monthOf(day), -1);
  return deadlineOf(previous) >= day ? previous : monthOf(day);
}

/** The day of the reminder of a month's file. */
export function reminderOf(month: string): string {
  return dayAfter(month, LATEST_DAY);
}

/** The day on which the file of a month is made, for a shop with this `auditGenerationDay`. */
export function generationOf(month: string, shopsDay: number): string {
  return dayAfter(month, Math.min(shopsDay, LATEST_DAY));
}

function dayAfter(month: string, day: number): string {
  return `${addMonths(month, 1)}-${String(day).padStart(2, '0')}`;
}

/**
 * The month whose file lists an order that is recorded on a day, by its time of creation: that of its date, never one to come, and the first one in
 * term if that is over. Whether a person closed a month before the end of its term is not known here; `compliance.month_for` knows it.
 */
export function listingMonth(createdAt: string, today: string): string {
  const [own, now, first] = [monthOf(sofiaDay(createdAt)), monthOf(today), firstMonthInTerm(today)];
  const target = own < now ? own : now;
  return target > first ? target : first;
}

/** A file that the agency found wrong is filed again within so many days of its message (ДОПК, чл. 102, ал. 4). */
export const CORRECTION_DAYS = 7;
