import type { Notify } from '../bridge/delivery/notify.ts';
import { bulkActionRun } from '../operations/bulk-actions.ts';
import { jobKinds } from '../operations/job-kinds.ts';
import type { Run } from '../platform/jobs/job-kind.ts';
import type { RunningJobs } from '../platform/jobs/run-jobs.ts';
import type { Core } from './core.ts';

/** Runs background jobs of these kinds in this process; `onlyAsked`: none but those that `runNow` is called for. */
export function runKinds({ config, jobs }: Pick<Core, 'config' | 'jobs'>, runs: Parameters<typeof jobKinds>[1], { onlyAsked = false } = {}): RunningJobs {
  return jobs.start(jobKinds(config, runs), { onlyAsked });
}

/** How bulk actions are run, whichever process does. */
export function bulkActions({ pool }: Core, notify: Notify): { 'bulk-action': Run } {
  return { 'bulk-action': bulkActionRun({ pool, notify, now: () => new Date() }) };
}

/** Runs the bulk actions that a command makes: those of others are done by servers. */
export function runBulkActions(core: Core, notify: Notify): RunningJobs {
  return runKinds(core, bulkActions(core, notify), { onlyAsked: true });
}
