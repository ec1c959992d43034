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
