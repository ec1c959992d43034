const MINUTE_MS = 60_000;

/** Minutes to wait after each failed try; together a little more than three days, then a mail counts as failed. */
const WAITS = [1, 5, 15, 30, 60, 120, 240, 480, 720, 720, 720, 720, 720] as const;

/** When a mail is retried after so many tries, the first being 1; null if that was the last. */
export function nextTry(attempts: number, now: Date): Date | null {
  const minutes = WAITS[attempts - 1];
  return minutes === undefined ? null : new Date(now.getTime() + minutes * MINUTE_MS);
}
