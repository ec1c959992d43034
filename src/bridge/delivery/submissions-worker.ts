import type { Processor } from 'bullmq';
import { nextVisitMs } from '../order/visit-end.ts';
import { readSubmissionJob, type SubmissionJob } from './jobs.ts';
import type { LaneOrder } from './store-lane.ts';
import type { Visited } from './visit-order.ts';
import type { Wake } from './wake.ts';

export type SubmissionsDeps = {
  visit(orderId: number, signal?: AbortSignal): Promise<Visited>;
  wake: Wake;
  /** Takes an order whose store must be called: that is done apart. */
  fetchLater(order: LaneOrder): void;
  now(): number;
  onDone(event: { orderId: number; ms: number; visited: Visited }): void;
};

/** The shell around `visitOrder`: a visit that must be repeated becomes a new, delayed job of the same order. */
export function submissionsProcessor(deps: SubmissionsDeps): Processor<SubmissionJob, void> {
  return async (job, _token, signal) => {
    const { orderId } = readSubmissionJob(job.data);
    const began = deps.now();
    const visited = await deps.visit(orderId, signal);
    const againMs = nextVisitMs(visited);
    if (againMs !== null) await deps.wake([{ id: orderId, dueAt: deps.now() + againMs, summary: job.data.order }]);
    if (visited.kind === 'fetch') deps.fetchLater({ orderId, host: visited.host, summary: job.data.order });
    deps.onDone({ orderId, ms: deps.now() - began, visited });
  };
}
