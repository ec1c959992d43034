import { setTimeout as sleep } from 'node:timers/promises';
import { backlog } from '../../bridge/ledger/behind-store.ts';
import { inboxSize } from '../../bridge/ledger/inbox-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';

/** What is left; `submissions` leaves delayed jobs aside, for their orders are behind. */
export type Left = { inbox: number; deliveries: number; submissions: number; behind: number };

type JobState = 'waiting' | 'prioritized' | 'active' | 'delayed' | 'failed';
type Jobs = { getJobCounts(...states: JobState[]): Promise<Record<string, number>> };

/** Counts what is left to do, in the direction in which work moves: what leaves one place while we look is seen in the next. */
export async function leftToDo({ pool }: { pool: Pool }, { deliveries, submissions }: { deliveries: Jobs; submissions: Jobs }): Promise<Left> {
  const inbox = await inboxSize(pool);
  const recording = await deliveries.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
  const submitting = await submissions.getJobCounts('waiting', 'prioritized', 'active');
  const { behind } = await backlog(pool);
  return { inbox, deliveries: total(recording), submissions: total(submitting), behind };
}

export function nothingLeft(left: Left): boolean {
  return Object.values(left).every((count) => count === 0);
}

type Patience = { timeoutMs: number; signal: AbortSignal };

const LOOK_MS = 100;

/** Looks until nothing is left, the time is over, or the signal is aborted; what was left at the last look. */
export async function untilNothingLeft(look: () => Promise<Left>, { timeoutMs, signal }: Patience): Promise<Left> {
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
