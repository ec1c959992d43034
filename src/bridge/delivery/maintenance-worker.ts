import type { Processor, Queue } from 'bullmq';
import { wholeMs } from '../../platform/with-timeout.ts';
import { type MaintenanceJob, readMaintenanceJob } from './jobs.ts';
import type { Scope } from './pauses.ts';

/** The shell around `probe`. */
export function maintenanceProcessor(probe: (scope: Scope) => Promise<void>): Processor<MaintenanceJob, void> {
  return (job) => probe(readMaintenanceJob(job.data).scope);
}

/** One probe per scope: a later call moves it. */
export async function probeAt(queue: Queue<MaintenanceJob>, scope: Scope, delayMs: number): Promise<void> {
  const id = `probe-${scope.destinationId}-${scope.shopId ?? 'all'}-${scope.callType}`;
  await queue.add(
    'probe',
    { v: 1, what: 'probe', scope },
    { delay: wholeMs(delayMs), deduplication: { id, replace: true, keepLastIfActive: true }, attempts: 1 },
  );
}
