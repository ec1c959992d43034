import { isDay } from '../contract/day.ts';
import { addDays, lastDayOf, monthOf } from '../service/law/calendar.ts';
import { sofiaMidnight } from './reconciliation/window.ts';

/** Is it an instant as addresses have it, such as "2026-11-29T08:12:00.000Z"? PostgreSQL reads no year of other than four digits, and no year 0. */
export function isInstant(text: string): boolean {
  const at = new Date(text);
  return /^(?!0000)\d{4}-/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString() === text;
}

/** Days of Sofia, both included; '': without an end. */
export type DayRange = { from: string; to: string };

/** The days that are mostly looked at. */
export function namedDays(today: string): Readonly<Record<'today' | 'yesterday' | 'since' | 'week' | 'month', DayRange>> {
  const yesterday = addDays(today, -1);
  return {
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    since: { from: yesterday, to: today },
    week: { from: addDays(today, -6), to: today },
    month: { from: `${monthOf(today)}-01`, to: lastDayOf(monthOf(today)) },
  };
}

/** What an address says of days, without what is none. */
export function dayRange({ from, to }: DayRange): DayRange {
  return { from: isDay(from) ? from : '', to: isDay(to) ? to : '' };
}

/** From when until before when that is, ISO instants; null: without an end. */
export function instantsOf({ from, to }: DayRange): { from: string | null; until: string | null } {
  return { from: from === '' ? null : sofiaMidnight(from), until: to === '' ? null : sofiaMidnight(addDays(to, 1)) };
}
