/** A month, such as 2026-10. */
export const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

/** Is it a day that the calendar has, such as 2026-10-31? */
export function isDay(text: string): boolean {
  return /^20\d\d-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;
}
