import type { Scope } from './pauses.ts';
import type { Processed } from './process-order.ts';

export type SweepDeps = {
  /** Hands a page of the inbox to the queue; returns how many. */
  moveInbox(size: number): Promise<number>;
  /** How many orders of workers that died were taken over since the last sweep. */
  takenOver(): number;
  /** Retries failed jobs of both queues; returns how many. */
  retryFailed(): Promise<number>;
  /** Scopes whose pause is over, but whose probe was lost. */
  probeOverdue(): Promise<void>;
  /** Drops what was kept long enough. */
  dropOld(): Promise<void>;
  /** Erases what a privacy request could not reach at once. */
  finishErasures(): Promise<void>;
  onSwept(swept: { inbox: number; recovered: number; failed: number }): void;
};

const INBOX_PAGE = 50;
const MOST_PAGES = 200;

/** Queues again what was lost on the way: inbox rows, failed jobs, forgotten probes. In bounded pages. */
export async function sweep(deps: SweepDeps): Promise<void> {
  const inbox = await emptyInbox(deps);
  const failed = await deps.retryFailed();
  await deps.probeOverdue();
  await deps.dropOld();
  await deps.finishErasures();
  deps.onSwept({ inbox, recovered: deps.takenOver(), failed });
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

export type ProbeDeps = {
  /** Orders of the scope that are pending, the one tried longest ago first. */
  candidates(scope: Scope, size: number): Promise<number[]>;
  /** Puts this order, and no other of the page, behind those that were tried longer ago. */
  tried(orderId: number): Promise<void>;
  /** Processes an order although its destination is paused; `sent`: a request was made. */
  attempt(orderId: number): Promise<{ processed: Processed; sent: boolean }>;
  /** Takes an order whose store must be called first: that is done apart. */
  fetchLater(orderId: number, host: string): void;
  /** Ends a pause that no order needs any more. */
  resume(scope: Scope): Promise<void>;
  /** The attempt threw; the next candidate is tried. */
  onFailed(orderId: number, err: unknown): void;
};

const CANDIDATES = 20;

/**
 * Lets one order call a paused destination. A success ends the pause, a failure makes it longer; orders that turn out to need no call
 * are skipped.
 */
export async function probe(deps: ProbeDeps, scope: Scope): Promise<void> {
  const orders = await deps.candidates(scope, CANDIDATES);
  let isOpen = false;
  for (const orderId of orders) {
    try {
      await deps.tried(orderId);
      const { processed, sent } = await deps.attempt(orderId);
      // The answer has ended the pause, or made it longer.
      if (sent || processed.kind === 'paused') return;
      if (processed.kind !== 'fetch') continue;
      isOpen = true;
      deps.fetchLater(orderId, processed.host);
    } catch (thrown) {
      isOpen = true;
      deps.onFailed(orderId, thrown);
    }
  }
  // Whether those need it is not known: the sweeper has the pause probed again.
  if (isOpen) return;
  // No order needs it: the next one will show whether the destination works.
  await deps.resume(scope);
}
