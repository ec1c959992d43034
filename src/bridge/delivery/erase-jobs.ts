import type { Job, Queue } from 'bullmq';
import { type Concern, eraseFromDelivery, mayWrite } from './erase-delivery.ts';
import type { DeliveriesJob } from './jobs.ts';

const PAGE = 100;
// Active first and last: a job that changes its state meanwhile is found in one of its states.
const STATES = ['active', 'waiting', 'prioritized', 'delayed', 'failed', 'active'] as const;

/**
 * Erases personal data from deliveries that wait on the queue. False: a running job still contains some; call again soon.
 * `ownIds`: deliveries that are in the ledger already; their jobs are not waited for.
 */
export async function eraseFromJobs(queue: Queue<DeliveriesJob>, concern: Concern, ownIds: ReadonlySet<string>): Promise<boolean> {
  let isClean = true;
  for (const state of STATES) {
    for (let start = 0; ; start += PAGE) {
      const jobs = (await queue.getJobs([state], start, start + PAGE - 1)).filter((job) => job !== undefined);
      for (const job of jobs) isClean = (await eraseFromJob(job, concern, ownIds)) && isClean;
      if (jobs.length < PAGE) break;
    }
  }
  return isClean;
}

async function eraseFromJob(job: Job<DeliveriesJob>, concern: Concern, ownIds: ReadonlySet<string>): Promise<boolean> {
  const { deliveries } = job.data;
  if (deliveries.some(({ id }) => ownIds.has(id)) || !deliveries.some((delivery) => mayWrite(delivery, concern))) return true;
  const erased = deliveries.map((delivery) => eraseFromDelivery(delivery, concern) ?? delivery);
  const wasThere = await job.updateData({ ...job.data, deliveries: erased }).then(
    () => true,
    () => false,
  );
  // A worker may have taken it before: then what it writes is erased once it is done. A job that is gone was done.
  return wasThere && !(await job.isActive());
}
