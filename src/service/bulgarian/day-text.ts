import { sofiaDay } from '../law/sofia-day.ts';
import { sofiaTime } from '../law/sofia-time.ts';
import { NO_BREAK } from './no-break.ts';

const days = new Intl.DateTimeFormat('bg-BG', { timeZone: 'UTC', day: '2-digit', month: '2-digit', year: 'numeric' });
const monthNames = new Intl.DateTimeFormat('bg-BG', { timeZone: 'UTC', month: 'long' });
const months = new Intl.DateTimeFormat('bg-BG', { timeZone: 'UTC', month: 'long', year: 'numeric' });

/** "2026-11-20" is "20.11.2026 г." */
export function dayText(day: string): string {
  return bound(days.format(new Date(day)));
}

/** "2026-10" is "октомври". */
export function monthName(month: string): string {
  return monthNames.format(new Date(month));
}

/** "2026-10" is "октомври 2026 г." */
export function monthText(month: string): string {
  return bound(months.format(new Date(month)));
}

/** "31.10.2026 г., 06:05 ч." in Bulgaria, of an ISO 8601 timestamp with an offset. */
export function momentText(timestamp: string): string {
  return `${dayText(sofiaDay(timestamp))}, ${sofiaTime(timestamp).slice(0, 'hh:mm'.length)}${NO_BREAK}ч.`;
}

/** Keeps "г." on the line of its year, whichever blank Intl puts between them. */
function bound(text: string): string {
  return text.replace(/\s(?=г\.$)/, NO_BREAK);
}
