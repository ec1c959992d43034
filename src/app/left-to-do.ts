import { backlog } from '../bridge/ledger/behind-store.ts';
import { inboxSize } from '../bridge/ledger/inbox-store.ts';
import type { Core } from './core.ts';
import type { Queues } from './queues.ts';

/** What is left; `submissions` leaves delayed jobs aside, for their orders are behind. */
export type Left = { inbox: number; deliveries: number; submissions: number; behind: number };

/** Counts what is left to do, in the direction in which work moves: what leaves one place while we look is seen in the next. */
export async function leftToDo({ pool }: Pick<Core, 'pool'>, { deliveries, submissions }: Pick<Queues, 'deliveries' | 'submissions'>): Promise<Left> {
  const inbox = await inboxSize(pool);
  const recording = await deliveries.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
  const submitting = await submissions.getJobCounts('waiting', 'prioritized', 'active');
  const { behind } = await backlog(pool);
  return { inbox, deliveries: total(recording), submissions: total(submitting), behind };
}

export function nothingLeft(left: Left): boolean {
  return Object.values(left).every((count) => count === 0);
}

function total(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
