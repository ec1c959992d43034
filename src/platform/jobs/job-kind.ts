import type { Backoff } from '../backoff.ts';
import type { Job } from './job-store.ts';

/**
 * How a run of a job ended. again: it runs again after `ms`. waits: it was not tried, which is no attempt. failed: it is retried, after `afterMs` if somebody
 * named a time. blocked: it can't be done until something changes.
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
  /** If a process dies, its jobs are due again after this; one that lives renews it, but runs for `timeoutMs` at most. */
  leaseMs: number;
  timeoutMs: number;
  backoff: Backoff;
  /** Its loss would be a wrong record, a missed erasure or an unread store: nobody may drop it. */
  isEssential: boolean;
};

/** Work of one kind. `everyMs`: it is one job, of the key '', which runs about so often; null: it is written. */
export type JobKind = KindSpec & { kind: string; everyMs: number | null; run: Run };

/** A run of jobs one by one. */
export const each =
  (run: (job: Job, signal: AbortSignal) => Promise<JobEnd>): Run =>
  (jobs, signal) =>
    Promise.all(jobs.map((job) => run(job, signal)));

export const DONE: JobEnd = { is: 'done' };

/** A run of jobs that are all done when `work` is. */
export const whole =
  (work: (signal: AbortSignal) => Promise<unknown>): Run =>
  async (jobs, signal) => {
    await work(signal);
    return jobs.map(() => DONE);
  };
