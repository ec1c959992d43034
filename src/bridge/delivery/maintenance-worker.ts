import type { Processor, Queue } from 'bullmq';
import { wholeMs } from '../../platform/with-timeout.ts';
import { type MaintenanceJob, readMaintenanceJob } from './jobs.ts';
import type { Scope } from './pauses.ts';

export type MaintenanceDeps = { sweep(): Promise<void>; probe(scope: Scope): Promise<void> };

/** The shell around `sweep` and `probe`. */
export function maintenanceProcessor(deps: MaintenanceDeps): Processor<MaintenanceJob, void> {
  return async (job) => {
    const read = readMaintenanceJob(job.data);
    await (read.what === 'sweep' ? deps.sweep() : deps.probe(read.scope));
  };
}

const SWEEPER = 'sweeper';
const SWEEP = { v: 1, what: 'sweep' } as const satisfies MaintenanceJob;

/** Keeps the sweeper scheduled, also after the queue has lost all its data. */
export async function keepSweeping(queue: Queue<MaintenanceJob>, everyMs: number): Promise<void> {
  const scheduled = await queue.getJobScheduler(SWEEPER);
  const every = wholeMs(everyMs);
  if (scheduled?.every === every) return;
  await queue.upsertJobScheduler(
    SWEEPER,
    { every },
    { name: 'sweep', data: SWEEP, opts: { attempts: 1, removeOnComplete: true, removeOnFail: { count: 100 } } },
  );
}

/** Sweeps once, now or after `delayMs`, for any number of calls. */
export async function sweepSoon(queue: Queue<MaintenanceJob>, delayMs = 0): Promise<void> {
  await queue.add('sweep', SWEEP, { delay: wholeMs(delayMs), deduplication: { id: 'sweep-soon', replace: true, keepLastIfActive: true }, attempts: 1 });
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
