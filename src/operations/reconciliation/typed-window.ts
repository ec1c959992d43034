import { addDays } from '../../service/law/months.ts';
import { sofiaDay } from '../../service/law/sofia-day.ts';
import { backfillWindow, sofiaMidnight, type Window, windowOf } from './window.ts';

/** What is wrong with a field of a form: noDay, noMonth: it is none. ahead: it is in the future. backwards: it ends before it begins. */
export type WrongWindow = { field: 'from' | 'to' | 'month'; is: 'noDay' | 'noMonth' | 'ahead' | 'backwards' };

type Days = { from: string; to: string };

/** The days that a form names, the last one included; `to` '': until now. */
export function typedWindow({ from, to }: Days, now: Date): Window | WrongWindow {
  const wrong = wrongDays({ from, to }, now);
  if (wrong !== null) return wrong;
  const isOpen = to === '' || to >= dayOf(now.toISOString());
  return windowOf({ from: sofiaMidnight(from), ...(isOpen ? {} : { to: sofiaMidnight(addDays(to, 1)) }) }, now.getTime());
}

/** The month that a form names. */
export function typedMonth(month: string): Window | WrongWindow {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? windowOf({ month }, 0) : { field: 'month', is: 'noMonth' };
}

/** The days of a backfill, as a form names them; `to` '': up to where orders are recorded anyway. */
export function typedBackfill({ from, to }: Days, { recordFrom, now }: { recordFrom: string; now: Date }): { from: string; until: string } | WrongWindow {
  const wrong = wrongDays({ from, to }, now);
  if (wrong !== null) return wrong;
  const window = backfillWindow({ from, ...(to === '' ? {} : { to }) }, { recordFrom, now: now.getTime() });
  return Date.parse(window.from) < Date.parse(window.until) ? window : { field: 'to', is: 'backwards' };
}

/** The days that somebody typed for these bounds; `to` '': they end within a day, so he typed none. */
export function daysOf({ from, until }: { from: string; until: string }): Days {
  const last = dayOf(new Date(Date.parse(until) - 1).toISOString());
  const isWhole = Date.parse(sofiaMidnight(addDays(last, 1))) === Date.parse(until);
  return { from: dayOf(from), to: isWhole ? last : '' };
}

function wrongDays({ from, to }: Days, now: Date): WrongWindow | null {
  if (!isDay(from)) return { field: 'from', is: 'noDay' };
  if (to !== '' && !isDay(to)) return { field: 'to', is: 'noDay' };
  if (from > dayOf(now.toISOString())) return { field: 'from', is: 'ahead' };
  return to !== '' && to < from ? { field: 'to', is: 'backwards' } : null;
}

function isDay(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** The day of an instant in Bulgaria. */
export function dayOf(instant: string): string {
  return sofiaDay(instant);
}
