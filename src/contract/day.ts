/** A month, such as 2026-10. */
export const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

// No clock of the world is further from UTC; PostgreSQL reads less than 16 hours.
const BEYOND_14_HOURS = /[+-](?:14:(?!00)|1[5-9]:|2\d:)/;

export const OFFSET_TOO_LARGE = 'must have an offset of 14 hours at most, such as +02:00';

/** Is the offset of an ISO 8601 timestamp, if it has one, 14 hours at most? +20:00 is mistyped for +02:00. */
export function hasUsualOffset(timestamp: string): boolean {
  return !BEYOND_14_HOURS.test(timestamp);
}

/** Is it a day that the calendar has, such as 2026-10-31? */
export function isDay(text: string): boolean {
  return /^20\d\d-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;
}

/** A moment with its offset, as ISO text in UTC; null: it is none, or its offset is mistyped. */
export function instantOf(text: string): string | null {
  const hasForm = /^T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text.slice(10)) && isDay(text.slice(0, 10)) && hasUsualOffset(text);
  return hasForm && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : null;
}
