import { setTimeout as sleep } from 'node:timers/promises';
import { inboxSize } from '../../bridge/ledger/deliveries/inbox-store.ts';
import { backlog } from '../../bridge/ledger/orders/pending-orders.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';

/** The work that is left; `submissions` leaves out delayed jobs, since their orders count as pending. */
export type WorkLeft = { inbox: number; deliveries: number; submissions: number; pending: number };
type Jobs = { getJobCounts(...states: ('waiting' | 'prioritized' | 'active' | 'delayed' | 'failed')[]): Promise<Record<string, number>> };

/** Counts the work that is left, in the direction in which work moves: a job that leaves one place meanwhile is counted in the next. */
export async function leftToDo({ pool }: { pool: Pool }, { deliveries, submissions }: { deliveries: Jobs; submissions: Jobs }): Promise<WorkLeft> {
  const inbox = await inboxSize(pool);
  const recording = await deliveries.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
  const submitting = await submissions.getJobCounts('waiting', 'prioritized', 'active');
  const { pending } = await backlog(pool);
  return { inbox, deliveries: total(recording), submissions: total(submitting), pending };
}

export function nothingLeft(left: WorkLeft): boolean {
  return Object.values(left).every((count) => count === 0);
}

const LOOK_MS = 100;

/** Polls until nothing is left, the time is over, or the signal is aborted; returns the last count. */
export async function untilNothingLeft(look: () => Promise<WorkLeft>, { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal }): Promise<WorkLeft> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const left = await look();
    if (nothingLeft(left) || performance.now() >= deadline || signal.aborted) return left;
    await sleep(LOOK_MS);
  }
}

function total(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
