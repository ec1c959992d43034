import { addDays, CALENDAR_KNOWN_SINCE, isWorkingDay, sofiaDay, sofiaTime } from '../law/calendar.ts';

/** A sheet by its day, the last day on which it was seen to be the newest, and whether a newer one is known. */
export type Sheet = { publishedOn: string; countsUntil: string; superseded: boolean };

/** That no sheet was published after `sheet` up to `until`. */
export type Counting = { sheet: string; until: string };

/** The bank publishes on working days by 18:00; if it did not, the previous sheet counts (press release of 16.06.2016). */
const PUBLISHED_BY = 18;
/** Free days on which it published nevertheless. The first sheet in euro (announcement of 09.12.2025). */
const PUBLISHED_ON_FREE_DAYS: ReadonlySet<string> = new Set(['2026-01-01']);

/** The bank never pauses for so long: an older sheet says that the newer ones did not reach us. */
const BELIEVED_DAYS = 7;

/**
 * Does the newest known sheet before or on a day count on that day? Yes if nothing can have been published in between: on free days, and on days on
 * which a fetch was late enough to know, for a week at most. Otherwise it is not known.
 */
export function countsOn(day: string, { publishedOn, countsUntil, superseded }: Sheet): boolean {
  if (day === publishedOn) return true;
  if (superseded || day > addDays(publishedOn, BELIEVED_DAYS)) return false;
  for (let open = addDays(countsUntil, 1); open <= day; open = addDays(open, 1)) {
    if (mayHaveASheet(open)) return false;
  }
  return true;
}

/** The last day whose sheet, if there is one, must be out at a moment: the bank has until 18:00. */
export function publishedUntil(now: Date): string {
  const today = sofiaDay(now.toISOString());
  return Number(sofiaTime(now.toISOString()).slice(0, 2)) >= PUBLISHED_BY ? today : addDays(today, -1);
}

/** The day itself, or the last one before it on which the bank may have published. */
export function sheetDayOf(day: string): string {
  return mayHaveASheet(day) ? day : sheetDayOf(addDays(day, -1));
}

/** May the bank have published on a day? */
function mayHaveASheet(day: string): boolean {
  return day < CALENDAR_KNOWN_SINCE || isWorkingDay(day) || PUBLISHED_ON_FREE_DAYS.has(day);
}

/** The days that follow from a list of all sheets of a period, oldest first: between two of them nothing was published. */
export function nothingBetween(sheets: readonly string[]): Counting[] {
  return sheets.flatMap((sheet, i) => {
    const next = sheets[i + 1];
    return next === undefined ? [] : [{ sheet, until: addDays(next, -1) }];
  });
}
