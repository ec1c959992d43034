import type { Facts } from '../../bridge/order/facts/facts.ts';
import { viewOf } from '../../bridge/order/facts/view.ts';
import type { OrderSummary } from '../../bridge/storefronts/store-reader.ts';
import { isDay, MONTH } from '../../contract/day.ts';
import { addDays, addMonths, monthOf, sofiaDay } from '../../service/law/calendar.ts';

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

/** When each of the last days began there, today at the end. */
export function lastMidnights(now: Date, count: number): string[] {
  const today = sofiaDay(now.toISOString());
  return Array.from({ length: count }, (_, place) => sofiaMidnight(addDays(today, place - count + 1)));
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

/** What is wrong with a field of a form: noDay, noMonth: it is none. ahead: it is in the future. backwards: it ends before it begins. */
type WrongWindow = { field: 'from' | 'to' | 'month'; is: 'noDay' | 'noMonth' | 'ahead' | 'backwards' };

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
  return MONTH.test(month) ? windowOf({ month }, 0) : { field: 'month', is: 'noMonth' };
}

/** The days of a backfill, as a form names them; `to` '': up to where orders are recorded anyway. */
export function typedBackfill({ from, to }: Days, { recordFrom, now }: { recordFrom: string; now: Date }): { from: string; until: string } | WrongWindow {
  const wrong = wrongDays({ from, to }, now);
  if (wrong !== null) return wrong;
  const window = backfillWindow({ from, ...(to === '' ? {} : { to }) }, { recordFrom, now: now.getTime() });
  return Date.parse(window.from) < Date.parse(window.until) ? window : { field: 'to', is: 'backwards' };
}

/** The days that somebody typed for these bounds; `to` '': they end within a day, so they typed none. */
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

/** The day of an instant in Bulgaria. */
export function dayOf(instant: string): string {
  return sofiaDay(instant);
}

/**
 * When an order was paid, as far as the ledger knows; where a month is compared, when it was placed, which is what the service lists it by. ISO instant;
 * null: the order itself is not known.
 */
export function soldAtOf(facts: Facts, { month }: Pick<Window, 'month'>): string | null {
  const view = viewOf(facts);
  if (view === null) return null;
  return month === null ? view.paidAt : new Date(view.createdAt).toISOString();
}

/** The same of an order as its store lists it. */
export function soldAtOfSummary({ soldAt, createdAt = soldAt }: OrderSummary, { month }: Pick<Window, 'month'>): string {
  return month === null ? soldAt : createdAt;
}
