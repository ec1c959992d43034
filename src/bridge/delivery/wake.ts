import type { Queue } from 'bullmq';
import { wholeMs } from '../../platform/whole-ms.ts';
import { type OrderSummary, SUBMISSIONS, type SubmissionJob } from './jobs.ts';
import type { Turns } from './turns.ts';

/** `connectionId`: null if it is not known. */
export type Waking = { id: number; connectionId: string | null; dueAt: number; summary: OrderSummary };
export type Wake = (orders: readonly Waking[]) => Promise<void>;

export type WakeOptions = {
  queue: Pick<Queue<SubmissionJob>, 'addBulk'>;
  turns: Pick<Turns, 'take'>;
  /** Orders whose jobs wait in this process for their turn: the visit to come sees what they would be woken for. */
  awaited: ReadonlySet<number>;
  now(): number;
};

/**
 * Queues one submission per order: a job that waits is replaced, so new facts pull a delayed one forward;
 * while one runs, the last waking is kept and runs after it. Of those that are due, connections take turns.
 */
export function createWake({ queue, turns, awaited, now }: WakeOptions): Wake {
  return async (all) => {
    const orders = all.filter(({ id }) => !awaited.has(id));
    if (orders.length === 0) return;
    await queue.addBulk(
      orders.map(({ id, connectionId, dueAt, summary }) => ({
        name: SUBMISSIONS,
        data: { v: 1, orderId: id, ...(connectionId === null ? {} : { connectionId }), order: summary },
        opts: {
          delay: wholeMs(dueAt - now()),
          priority: connectionId === null ? 0 : turns.take(connectionId, [id]),
          deduplication: { id: `order-${id}`, replace: true, keepLastIfActive: true },
        },
      })),
    );
  };
}
