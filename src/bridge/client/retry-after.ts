/** A server that says to wait for days is called again after an hour. */
const LONGEST_WAIT_MS = 3_600_000;

/** How long a `Retry-After` header says to wait, from 0 ms to an hour; null: it is absent, or neither seconds nor a date. */
export function retryAfterMs(header: string | string[] | undefined): number | null {
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_WAIT_MS) : null;
}
