import type { Backoff } from '../backoff.ts';
import type { Job } from './job-store.ts';

/**
 * How a run of a job ended. again: it runs again after `ms`. waits: it was not tried, which is no attempt. failed: it is retried, after `afterMs` if somebody
 * named a time. blocked: it can't be done until something changes; it is retried at the next start, and once a day.
 */
export type JobEnd =
  | { is: 'done' }
  | { is: 'again'; ms: number }
  | { is: 'waits'; ms: number }
  | { is: 'failed'; why: string; afterMs: number | null }
  | { is: 'blocked'; why: string };

/** Gives each job its end, in the order of the jobs. It may have run before: a process may die before the end is written. */
export type Run = (jobs: readonly Job[], signal: AbortSignal) => Promise<JobEnd[]>;

/** How jobs of a kind are run. */
export type KindSpec = {
  /** How many jobs one run takes, and how many runs a process has at once. */
  batch: number;
  concurrency: number;
  /** How many of its runs, at most, may be of jobs that failed twice in a row; absent: all. What hangs again and again then takes no place of what works. */
  failing?: number;
  /** If a process dies, its jobs are due again after this; one that lives renews it. After `timeoutMs`, or when its jobs are dropped, the signal of a run tells it to end. */
  leaseMs: number;
  timeoutMs: number;
  backoff: Backoff;
};

/** Work of one kind. `everyMs`: it is one job, of the key '', which runs about so often; null: it is written. */
export type JobKind = KindSpec & { kind: string; everyMs: number | null; run: Run };

/** A run of jobs one by one. */
export const each =
  (run: (job: Job, signal: AbortSignal) => Promise<JobEnd>): Run =>
  (jobs, signal) =>
    Promise.all(jobs.map((job) => run(job, signal)));

export const DONE: JobEnd = { is: 'done' };

const STOPPED: JobEnd = { is: 'waits', ms: 60_000 };

/** A run of jobs one by one, which wait while the database is stopped, as a copy is. */
export const eachUnlessStopped = (database: { isStopped: boolean }, run: Parameters<typeof each>[0]): Run =>
  each(async (job, signal) => (database.isStopped ? STOPPED : run(job, signal)));

/** A run of jobs that are all done when `work` is, unless it was cut off. */
export const whole =
  (work: (signal: AbortSignal) => Promise<unknown>): Run =>
  async (jobs, signal) => {
    await work(signal);
    return jobs.map(() => (signal.aborted ? { is: 'waits', ms: 0 } : DONE));
  };

/** Does one step after the other; one that fails keeps no later one from being done. Rejects at the end if any failed. */
export async function eachStep(signal: AbortSignal, steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failed: unknown[] = [];
  for (const step of steps) if (!signal.aborted) await step().catch((thrown: unknown) => failed.push(thrown));
  if (failed.length > 1) throw new AggregateError(failed);
  if (failed.length === 1) throw failed[0];
}
