import { addDays, addMonths, monthOf } from '../../service/law/months.ts';
import { sofiaDay } from '../../service/law/sofia-day.ts';

/** Which orders are compared: those sold from `from` until before `to`, ISO instants; or those of a month, of which both are then the bounds. */
export type Window = { from: string; to: string; month: string | null };

export type WindowInput = { from?: string | undefined; to?: string | undefined; month?: string | undefined };

/** Without a choice: the open month and the one before, until now. */
export function windowOf({ from, to, month }: WindowInput, now: number): Window {
  if (month !== undefined) return { from: sofiaMidnight(`${month}-01`), to: sofiaMidnight(`${addMonths(month, 1)}-01`), month };
  const until = to ?? new Date(now).toISOString();
  return { from: from ?? sofiaMidnight(`${addMonths(monthOf(sofiaDay(until)), -1)}-01`), to: until, month: null };
}

/** `month`: of its record, where that is known, which decides if a month is compared. */
export function isInWindow({ from, to, month: wanted }: Window, { soldAt, month }: { soldAt: string; month: string | null }): boolean {
  if (wanted !== null) return (month ?? monthOf(sofiaDay(soldAt))) === wanted;
  const at = Date.parse(soldAt);
  return Date.parse(from) <= at && at < Date.parse(to);
}

/** The months in which records of the window may be: it may have been placed before it was paid, and be in a later one if its own is closed. */
export function monthsOf({ from, month }: Window, now: number): string[] {
  if (month !== null) return [month];
  const last = monthOf(sofiaDay(new Date(now).toISOString()));
  const months: string[] = [];
  for (let one = addMonths(monthOf(sofiaDay(from)), -1); one <= last; one = addMonths(one, 1)) months.push(one);
  return months;
}

/** The instant at which a day begins in Bulgaria, which is two or three hours ahead. */
export function sofiaMidnight(day: string): string {
  const early = new Date(`${day}T00:00:00+03:00`);
  const isIt = sofiaDay(early.toISOString()) === day && sofiaDay(new Date(early.getTime() - 1).toISOString()) === addDays(day, -1);
  return (isIt ? early : new Date(`${day}T00:00:00+02:00`)).toISOString();
}

/** The bounds of a backfill, from what was typed: days in Bulgaria, the last one included, or instants. */
export function backfillWindow(
  { from, to }: { from: string; to?: string },
  { recordFrom, now }: { recordFrom: string; now: number },
): { from: string; until: string } {
  const begin = boundOf(from, 0);
  if (to !== undefined) return { from: begin, until: boundOf(to, 1) };
  const isEarlier = Date.parse(begin) < Date.parse(recordFrom);
  return { from: begin, until: isEarlier ? new Date(recordFrom).toISOString() : boundOf(sofiaDay(new Date(now).toISOString()), 1) };
}

function boundOf(typed: string, days: number): string {
  return typed.includes('T') ? typed : sofiaMidnight(addDays(typed, days));
}
