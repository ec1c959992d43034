import { UnreadableJob } from '../unreadable-job.ts';

const FIRST_MS = 500;
const MOST_MS = 30_000;
const UNREADABLE_MS = 60_000;
const MOST_UNREADABLE_MS = 3_600_000;

/** Until a job is retried that failed `failures` times, in whole ms: the PostgreSQL queue takes no others. `random` in [0, 1). */
export function backoff(failures: number, failure: unknown, random: number): number {
  const isUnreadable = failure instanceof UnreadableJob;
  const [first, most] = isUnreadable ? [UNREADABLE_MS, MOST_UNREADABLE_MS] : [FIRST_MS, MOST_MS];
  return Math.round(Math.min(first * 2 ** Math.min(failures, 10), most) * (0.5 + random / 2));
}
