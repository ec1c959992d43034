import type { Wake, Waking } from './wake.ts';

export type SweepDeps = {
  /** Hands a page of the inbox to the queue; returns how many. */
  moveInbox(size: number): Promise<number>;
  /** Orders that are behind, at most `each` of a connection. */
  takeBehind(page: { size: number; each: number; graceMs: number }): Promise<Waking[]>;
  /** Jobs on `submissions` that wait or run. */
  submissionsWaiting(): Promise<number>;
  wake: Wake;
  /** More is behind than the queue may contain: sweeps again in a moment. */
  sweepAgain(): Promise<void>;
  /** Retries failed jobs of both queues; returns how many. */
  retryFailed(): Promise<number>;
  /** Scopes whose pause is over, but whose probe was lost. */
  probeOverdue(): Promise<void>;
  /** Drops what was kept long enough. */
  dropOld(): Promise<void>;
  /** Erases what a privacy request could not reach at once. */
  finishErasures(): Promise<void>;
  graceMs: number;
  onSwept(swept: { inbox: number; behind: number; failed: number }): void;
};

const INBOX_PAGE = 50;
const ORDERS_PAGE = 500;
/** Of one connection on a page, as long as others fill it; and when the queue contains enough: those that have much there must not hold up the others. */
const EACH = 16;
const EACH_IF_FULL = 2;
/** The queue contains at most this many jobs: the rest waits in the ledger, where it costs no memory. */
const MOST_QUEUED = 2_000;
const MOST_PAGES = 200;

/** Queues again what was lost on the way: inbox rows, orders whose wake-up was lost, failed jobs, forgotten probes. In bounded pages. */
export async function sweep(deps: SweepDeps): Promise<void> {
  const inbox = await emptyInbox(deps);
  const failed = await deps.retryFailed();
  await deps.probeOverdue();
  const behind = await wakeBehind(deps);
  await deps.dropOld();
  await deps.finishErasures();
  deps.onSwept({ inbox, behind, failed });
}

async function emptyInbox(deps: SweepDeps): Promise<number> {
  let moved = 0;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await deps.moveInbox(INBOX_PAGE);
    moved += page;
    if (page === 0) break;
  }
  return moved;
}

async function wakeBehind(deps: SweepDeps): Promise<number> {
  let woken = 0;
  let each = EACH;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const isFull = (await deps.submissionsWaiting()) >= MOST_QUEUED;
    const page = await deps.takeBehind({ size: ORDERS_PAGE, each: isFull ? EACH_IF_FULL : each, graceMs: deps.graceMs });
    await deps.wake(page);
    woken += page.length;
    if (isFull) {
      await deps.sweepAgain();
      break;
    }
    const isShort = page.length < ORDERS_PAGE;
    if (page.length === 0 || (isShort && each === ORDERS_PAGE)) break;
    // There are not enough connections to fill it: those that have more may.
    if (isShort) each = ORDERS_PAGE;
  }
  return woken;
}
