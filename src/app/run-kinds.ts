import { jobKinds } from '../operations/job-kinds.ts';
import type { RunningJobs } from '../platform/jobs/run-jobs.ts';
import type { Core } from './core.ts';

/** Runs background jobs of these kinds in this process; `onlyAsked`: none but those that `runNow` is called for. */
export function runKinds({ config, jobs }: Pick<Core, 'config' | 'jobs'>, runs: Parameters<typeof jobKinds>[1], { onlyAsked = false } = {}): RunningJobs {
  return jobs.start(jobKinds(config, runs), { onlyAsked });
}
