/** Months are "2026-10", days "2026-10-31", both of Bulgaria. Such texts sort by time. */

/** The month that is `count` months later; negative counts go back. */
export function addMonths(month: string, count: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** The day that is `count` days later; negative counts go back. */
export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}

export function lastDayOf(month: string): string {
  return addDays(`${addMonths(month, 1)}-01`, -1);
}

/** Monday is 1, Sunday is 7. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

// Made at its first use: that takes longer than all else in this file, and many commands need no day.
let calendar: Intl.DateTimeFormat | undefined;

function sofia(moment: Date): string {
  calendar ??= new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Sofia', dateStyle: 'short' });
  return calendar.format(moment);
}

const HOUR_MS = 3_600_000;
/** Since then Bulgarian time differs from UTC by whole hours, so each hour of UTC is within one day. */
const WHOLE_HOURS_SINCE_MS = Date.UTC(1900, 0);
const REMEMBERED = 2_000;
// The days of the hours that were looked up: asking the calendar is by far the slowest part of reading a timestamp.
const days = new Map<number, string>();

const OFFSET = /(Z|[+-]\d{2}:?\d{2})$/;

/** The day in Bulgaria ("2026-11-20") of an ISO 8601 timestamp; one without an offset is Bulgarian time already. */
export function sofiaDay(timestamp: string): string {
  return OFFSET.test(timestamp) ? dayOf(new Date(timestamp)) : timestamp.slice(0, 10);
}

function dayOf(moment: Date): string {
  const hour = Math.floor(moment.getTime() / HOUR_MS);
  if (!(moment.getTime() >= WHOLE_HOURS_SINCE_MS)) return sofia(moment);
  const known = days.get(hour);
  if (known !== undefined) return known;
  const day = sofia(moment);
  if (days.size >= REMEMBERED) days.clear();
  days.set(hour, day);
  return day;
}

let clock: Intl.DateTimeFormat | undefined;

/** The time of day in Bulgaria ("14:05:33", 24 hours) of an ISO 8601 timestamp; one without an offset is Bulgarian time already. */
export function sofiaTime(timestamp: string): string {
  if (!OFFSET.test(timestamp)) return timestamp.slice(11, 19).padEnd(8, ':00');
  clock ??= new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Sofia', timeStyle: 'medium' });
  return clock.format(new Date(timestamp));
}

const LABOUR_CODE = 'КТ, чл. 154, ал. 1';
const SWAPS_OF_2016 = 'Решение № 935 на МС от 30.11.2015 г., ДВ, бр. 94 от 2015 г.';
const EURO_CHANGEOVER = 'Решение на МС от 19.11.2025 г. във връзка с въвеждането на еврото';

/** Official holidays on a fixed date ("MM-DD"). */
const fixedHolidays: readonly { day: string; name: string; source: string }[] = [
  { day: '01-01', name: 'Нова година', source: LABOUR_CODE },
  { day: '03-03', name: 'Ден на Освобождението', source: LABOUR_CODE },
  { day: '05-01', name: 'Ден на труда', source: LABOUR_CODE },
  { day: '05-06', name: 'Гергьовден', source: LABOUR_CODE },
  { day: '05-24', name: 'Ден на българската писменост', source: LABOUR_CODE },
  { day: '09-06', name: 'Ден на Съединението', source: LABOUR_CODE },
  { day: '09-22', name: 'Ден на Независимостта', source: LABOUR_CODE },
  { day: '12-24', name: 'Бъдни вечер', source: LABOUR_CODE },
  { day: '12-25', name: 'Рождество Христово', source: LABOUR_CODE },
  { day: '12-26', name: 'Рождество Христово', source: LABOUR_CODE },
];

/** Since when a holiday on a weekend makes the next working days free (КТ, чл. 154, ал. 2; ДВ, бр. 105 от 2016 г.). Easter is not moved. */
const MOVED_SINCE = '2017-01-01';

/** Days that the government declared free, or working, for once. A new decision is a line here. */
const declaredDays: readonly { day: string; works: boolean; source: string }[] = [
  { day: '2016-03-04', works: false, source: SWAPS_OF_2016 },
  { day: '2016-03-12', works: true, source: SWAPS_OF_2016 },
  { day: '2016-05-23', works: false, source: SWAPS_OF_2016 },
  { day: '2016-05-14', works: true, source: SWAPS_OF_2016 },
  { day: '2016-09-05', works: false, source: SWAPS_OF_2016 },
  { day: '2016-09-10', works: true, source: SWAPS_OF_2016 },
  { day: '2016-09-23', works: false, source: SWAPS_OF_2016 },
  { day: '2016-09-17', works: true, source: SWAPS_OF_2016 },
  { day: '2025-12-31', works: false, source: EURO_CHANGEOVER },
  { day: '2026-01-02', works: false, source: EURO_CHANGEOVER },
];
const declared: ReadonlyMap<string, boolean> = new Map(declaredDays.map(({ day, works }) => [day, works]));

/** Before that, Saturdays were swapped with working days every year, by decisions that are not listed here. */
export const CALENDAR_KNOWN_SINCE = '2016-01-01';

/** Is a day ("2026-11-20") a working day in Bulgaria? Right from `CALENDAR_KNOWN_SINCE` to 2099, as far as the government's decisions are listed here. */
export function isWorkingDay(day: string): boolean {
  return declared.get(day) ?? (weekdayOf(day) < 6 && !isHoliday(day) && !isMovedHoliday(day));
}

/** The day itself, or the next working day. */
export function workingDayFrom(day: string): string {
  return isWorkingDay(day) ? day : workingDayFrom(addDays(day, 1));
}

function isHoliday(day: string): boolean {
  return isFixed(day) || easterDays(Number(day.slice(0, 4))).has(day);
}

function isFixed(day: string): boolean {
  return fixedHolidays.some((holiday) => holiday.day === day.slice(5));
}

// For each holiday on a weekend one working day after it is free.
function isMovedHoliday(day: string): boolean {
  const weekday = weekdayOf(day);
  if (day < MOVED_SINCE || weekday > 5) return false;
  const sunday = addDays(day, -weekday);
  const lost = [addDays(sunday, -1), sunday].filter(isFixed).length;
  const freed = Array.from({ length: weekday }, (_, i) => addDays(sunday, i + 1)).filter((one) => !isHoliday(one));
  return freed.indexOf(day) !== -1 && freed.indexOf(day) < lost;
}

/** Good Friday to Easter Monday of the Orthodox church, by the algorithm of Meeus for the Julian calendar; 13 days apart until 2099. */
function easterDays(year: number): ReadonlySet<string> {
  const d = (19 * (year % 19) + 15) % 30;
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7;
  const month = Math.floor((d + e + 114) / 31);
  const dayOfMonth = ((d + e + 114) % 31) + 1;
  const sunday = addDays(`${year}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`, 13);
  return new Set([-2, -1, 0, 1].map((offset) => addDays(sunday, offset)));
}
