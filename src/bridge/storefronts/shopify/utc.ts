/** "2026-10-14T11:32:05+03:00" → "2026-10-14T08:32:05.000Z"; the text was checked to be an instant. */
export function utc(instant: string): string {
  return new Date(instant).toISOString();
}
