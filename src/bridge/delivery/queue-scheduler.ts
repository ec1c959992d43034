import { createFairScheduler, type FairScheduler, type FairSchedulerOptions } from './fair-scheduler.ts';

type State = 'waiting' | 'prioritized' | 'delayed';
type Counted = { getJobCounts(...states: State[]): Promise<Record<string, number>> };

const LOOK_MS = 1_000;

/** Turns on a queue. What other processes did of what this one added is seen at the latest when no job is in these states: everything was done. */
export function createQueueScheduler(queue: Counted, states: readonly State[], options: FairSchedulerOptions): FairScheduler {
  const scheduler = createFairScheduler(options);
  let lookAt = 0;

  async function look(): Promise<void> {
    const counts = await queue.getJobCounts(...states);
    if (Object.values(counts).every((count) => count === 0)) scheduler.clear();
  }

  return {
    ...scheduler,
    take(connectionId, ids) {
      const priority = scheduler.take(connectionId, ids);
      if (priority > 0 && options.now() >= lookAt) {
        lookAt = options.now() + LOOK_MS;
        // A queue that is down is reported by whoever adds to it.
        look().catch(() => undefined);
      }
      return priority;
    },
  };
}
