/** "2026-10-14T08:32:05Z" in "Europe/Sofia" → "2026-10-14T11:32:05+03:00": as webhooks write it. A zone that is not known here leaves it in UTC. */
export function inTimeZone(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  const offset = offsetOf(at, timeZone);
  // The same clock reading is that much earlier in a zone that is ahead.
  const ahead = -Date.parse(`1970-01-01T00:00:00${offset}`);
  return `${new Date(at + ahead).toISOString().slice(0, 19)}${/^(Etc\/)?UTC$/.test(timeZone) ? 'Z' : offset}`;
}

/** "+03:00" */
function offsetOf(at: number, timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(at).slice(-6);
  } catch {
    return '+00:00';
  }
}
