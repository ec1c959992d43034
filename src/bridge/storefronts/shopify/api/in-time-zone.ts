/** "2026-10-14T08:32:05Z" in "Europe/Sofia" → "2026-10-14T11:32:05+03:00": as webhooks write it. A zone that is not known here leaves it in UTC. */
export function inTimeZone(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  const minutes = offsetOf(at, timeZone);
  const local = new Date(at + minutes * 60_000).toISOString().slice(0, 19);
  if (minutes === 0 && IS_UTC.test(timeZone)) return `${local}Z`;
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${digits(Math.trunc(Math.abs(minutes) / 60))}:${digits(Math.abs(minutes) % 60)}`;
}

const IS_UTC = /^(Etc\/)?UTC$/;

/** Minutes by which clocks there are ahead of UTC. */
function offsetOf(at: number, timeZone: string): number {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  } catch {
    return 0;
  }
}
