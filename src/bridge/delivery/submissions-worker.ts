import type { Processor } from 'bullmq';
import { nextVisitMs } from '../order/visit-end.ts';
import { readSubmissionJob, type SubmissionJob } from './jobs.ts';
import type { LaneOrder } from './store-lane.ts';
import type { Turns } from './turns.ts';
import type { VisitGate } from './visit-gate.ts';
import type { Visited } from './visit-order.ts';
import type { Wake } from './wake.ts';

export type SubmissionsDeps = {
  visit(orderId: number, signal?: AbortSignal): Promise<Visited>;
  /** Of a connection; '' if it can't be found out, which the visit reports. */
  destinationOf(connectionId: string): Promise<string>;
  gate: Pick<VisitGate, 'run'>;
  turns: Pick<Turns, 'done'>;
  /** Gets the orders whose jobs wait at the gate. */
  awaited: Set<number>;
  wake: Wake;
  /** Takes an order whose store must be called: that is done apart. */
  fetchLater(order: LaneOrder): void;
  now(): number;
  onDone(event: { orderId: number; ms: number; visited: Visited }): void;
};

/** When a job that was returned comes back: others had a look by then, and its order is not late. */
const RETURNED_MS = 2_000;

/** The shell around `visitOrder`: a visit that must be repeated, or was returned by the gate, becomes a new, delayed job of the same order. */
export function submissionsProcessor(deps: SubmissionsDeps): Processor<SubmissionJob, void> {
  return async (job, _token, signal) => {
    const { orderId, connectionId } = readSubmissionJob(job.data);
    const again = (ms: number) => deps.wake([{ id: orderId, connectionId, dueAt: deps.now() + ms, summary: job.data.order }]);
    const of = { connectionId: connectionId ?? '', destinationId: connectionId === null ? '' : await deps.destinationOf(connectionId) };
    const visit = async () => {
      deps.awaited.delete(orderId);
      const began = deps.now();
      const visited = await deps.visit(orderId, signal);
      deps.turns.done(of.connectionId, orderId);
      const againMs = nextVisitMs(visited);
      if (againMs !== null) await again(againMs);
      if (visited.kind === 'fetch') deps.fetchLater({ orderId, host: visited.host, summary: job.data.order });
      deps.onDone({ orderId, ms: deps.now() - began, visited });
    };
    deps.awaited.add(orderId);
    const ran = await deps.gate.run(of, visit);
    if (ran !== null) return;
    deps.awaited.delete(orderId);
    await again(RETURNED_MS);
  };
}
