import type { Queue } from 'bullmq';
import { type OrderSummary, SUBMISSIONS, type SubmissionJob } from './jobs.ts';

export type Waking = { id: number; dueAt: number; summary: OrderSummary };
export type Wake = (orders: readonly Waking[]) => Promise<void>;

/**
 * Queues one submission per order: a job that waits is replaced, so new facts pull a delayed one forward;
 * while one runs, the last waking is kept and runs after it.
 */
export function createWake(queue: Queue<SubmissionJob>, now: () => number): Wake {
  return async (orders) => {
    if (orders.length === 0) return;
    await queue.addBulk(
      orders.map(({ id, dueAt, summary }) => ({
        name: SUBMISSIONS,
        data: { v: 1, orderId: id, order: summary },
        opts: { delay: Math.max(0, dueAt - now()), deduplication: { id: `order-${id}`, replace: true, keepLastIfActive: true } },
      })),
    );
  };
}
