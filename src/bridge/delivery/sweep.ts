import type { Wake, Waking } from './wake.ts';

export type SweepDeps = {
  /** Hands a page of the inbox to the queue; returns how many. */
  moveInbox(size: number): Promise<number>;
  takeBehind(page: { size: number; graceMs: number }): Promise<Waking[]>;
  /** Jobs on `submissions` that wait or run. */
  submissionsWaiting(): Promise<number>;
  wake: Wake;
  /** More is behind than the queue may contain: sweeps again in a moment. */
  sweepAgain(): Promise<void>;
  /** Retries failed jobs of both queues; returns how many. */
  retryFailed(): Promise<number>;
  /** Scopes whose pause is over, but whose probe was lost. */
  probeOverdue(): Promise<void>;
  dropOldBodies(): Promise<number>;
  graceMs: number;
  onSwept(swept: { inbox: number; behind: number; failed: number }): void;
};

const INBOX_PAGE = 50;
const ORDERS_PAGE = 500;
/** The queue contains at most this many jobs: the rest waits in the ledger, where it costs no memory. */
const MOST_QUEUED = 2_000;
const MOST_PAGES = 200;

/** Queues again what was lost on the way: inbox rows, orders whose wake-up was lost, failed jobs, forgotten probes. In bounded pages. */
export async function sweep(deps: SweepDeps): Promise<void> {
  const inbox = await emptyInbox(deps);
  const failed = await deps.retryFailed();
  await deps.probeOverdue();
  const behind = await wakeBehind(deps);
  await deps.dropOldBodies();
  deps.onSwept({ inbox, behind, failed });
}

async function emptyInbox(deps: SweepDeps): Promise<number> {
  let moved = 0;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await deps.moveInbox(INBOX_PAGE);
    moved += page;
    if (page < INBOX_PAGE) break;
  }
  return moved;
}

async function wakeBehind(deps: SweepDeps): Promise<number> {
  let woken = 0;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    if ((await deps.submissionsWaiting()) >= MOST_QUEUED) {
      await deps.sweepAgain();
      break;
    }
    const page = await deps.takeBehind({ size: ORDERS_PAGE, graceMs: deps.graceMs });
    await deps.wake(page);
    woken += page.length;
    if (page.length < ORDERS_PAGE) break;
  }
  return woken;
}
