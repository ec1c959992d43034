import { createTurns, type Turns, type TurnsOptions } from './turns.ts';

type State = 'waiting' | 'prioritized' | 'delayed';
type Counted = { getJobCounts(...states: State[]): Promise<Record<string, number>> };

const LOOK_MS = 1_000;

/** Turns on a queue. What other processes did of what this one added is seen at the latest when no job is in these states: everything was done. */
export function queueTurns(queue: Counted, states: readonly State[], options: TurnsOptions): Turns {
  const turns = createTurns(options);
  let lookAt = 0;

  async function look(): Promise<void> {
    const counts = await queue.getJobCounts(...states);
    if (Object.values(counts).every((count) => count === 0)) turns.clear();
  }

  return {
    ...turns,
    take(connectionId, ids) {
      const priority = turns.take(connectionId, ids);
      if (priority > 0 && options.now() >= lookAt) {
        lookAt = options.now() + LOOK_MS;
        // A queue that is down is reported by whoever adds to it.
        look().catch(() => undefined);
      }
      return priority;
    },
  };
}
