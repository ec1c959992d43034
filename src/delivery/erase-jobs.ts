import type { Queue } from 'bullmq';
import type { DeliveriesJob } from './delivery-job.ts';

const PAGE = 100;
const STATES = ['waiting', 'delayed', 'failed'] as const;

/** Takes personal data out of deliveries that still wait on the queue; what is news of an order stays news without its customer. */
export async function eraseFromJobs(
  queue: Queue<DeliveriesJob>,
  concerns: (delivery: { connectionId: string; orderId: string | null }) => boolean,
): Promise<void> {
  for (const state of STATES) {
    for (let start = 0; ; start += PAGE) {
      const jobs = await queue.getJobs([state], start, start + PAGE - 1);
      for (const job of jobs) {
        const erased = without(job.data, concerns);
        if (erased !== null) await job.updateData(erased);
      }
      if (jobs.length < PAGE) break;
    }
  }
}

function without(job: DeliveriesJob, concerns: (delivery: { connectionId: string; orderId: string | null }) => boolean): DeliveriesJob | null {
  let changed = false;
  const deliveries = job.deliveries.map((delivery) => {
    const { normalized, connectionId } = delivery;
    const orderId = normalized.kind === 'order' ? normalized.news.orderId : null;
    if (!concerns({ connectionId, orderId })) return delivery;
    changed = true;
    if (normalized.kind !== 'order') return { ...delivery, body: null };
    const { customer: _erased, ...news } = normalized.news;
    return { ...delivery, body: null, normalized: { ...normalized, news } };
  });
  return changed ? { ...job, deliveries } : null;
}
