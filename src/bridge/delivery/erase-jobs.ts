import type { Job, Queue } from 'bullmq';
import { type Concern, eraseFromDelivery, mayWrite } from './erase-delivery.ts';
import type { DeliveriesJob } from './jobs.ts';

const PAGE = 100;
// Active first and last: a job that changes its state meanwhile is met at one of its places.
const STATES = ['active', 'waiting', 'delayed', 'failed', 'active'] as const;

/**
 * Takes personal data out of deliveries that wait on the queue. False: a job that runs right now still carries some; look again soon.
 * `ownIds`: deliveries that are in the ledger already; their jobs need no waiting for.
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
  // A worker may have taken it before: then what it writes is erased once it is done. One that is gone was done.
  return wasThere && !(await job.isActive());
}
