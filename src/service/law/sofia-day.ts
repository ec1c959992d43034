const sofia = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Sofia', dateStyle: 'short' });

const HOUR_MS = 3_600_000;
/** Since then Bulgarian time differs from UTC by whole hours, so each hour of UTC is within one day. */
const WHOLE_HOURS_SINCE_MS = Date.UTC(1900, 0);
const REMEMBERED = 2_000;
// The days of the hours that were looked up: asking the calendar is by far the slowest part of reading a timestamp.
const days = new Map<number, string>();

/** The day in Bulgaria ("2026-11-20") of an ISO 8601 timestamp; one without an offset is Bulgarian time already. */
export function sofiaDay(timestamp: string): string {
  const hasOffset = /(Z|[+-]\d{2}:?\d{2})$/.test(timestamp);
  return hasOffset ? dayOf(new Date(timestamp)) : timestamp.slice(0, 10);
}

function dayOf(moment: Date): string {
  const hour = Math.floor(moment.getTime() / HOUR_MS);
  if (!(moment.getTime() >= WHOLE_HOURS_SINCE_MS)) return sofia.format(moment);
  const known = days.get(hour);
  if (known !== undefined) return known;
  const day = sofia.format(moment);
  if (days.size >= REMEMBERED) days.clear();
  days.set(hour, day);
  return day;
}
