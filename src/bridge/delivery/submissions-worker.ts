import type { Processor } from 'bullmq';
import type { Visited } from './converge-order.ts';
import { readSubmissionJob, type SubmissionJob } from './submission-job.ts';
import type { Wake } from './wake.ts';

export type SubmissionsDeps = {
  converge(orderId: number, signal?: AbortSignal): Promise<Visited>;
  wake: Wake;
  now(): number;
  onDone(event: { orderId: number; ms: number; converged: Visited }): void;
};

/** The shell around `convergeOrder`: a visit that must be repeated becomes a new, delayed job of the same order. */
export function submissionsProcessor(deps: SubmissionsDeps): Processor<SubmissionJob, void> {
  return async (job, _token, signal) => {
    const { orderId } = readSubmissionJob(job.data);
    const began = deps.now();
    const converged = await deps.converge(orderId, signal);
    const againMs = toWait(converged);
    if (againMs !== null) await deps.wake([{ id: orderId, dueAt: deps.now() + againMs, summary: job.data.order }]);
    deps.onDone({ orderId, ms: deps.now() - began, converged });
  };
}

/** After how many ms the order is to be visited once more; null: not until something changes. */
function toWait(converged: Visited): number | null {
  if (converged.kind === 'again') return converged.ms;
  return converged.kind === 'rest' && converged.receipt === 'due' ? 0 : null;
}
