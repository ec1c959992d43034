import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';

type JobState = 'waiting' | 'prioritized' | 'active' | 'delayed' | 'failed';

/** A queue, as far as it is looked at or resumed here. */
export type PausableQueue = {
  readonly name: string;
  getJobCounts(...states: JobState[]): Promise<Record<string, number>>;
  isPaused(): Promise<boolean>;
  resume(): Promise<void>;
};

export type QueueState = { name: string; isPaused: boolean; jobs: Record<JobState, number> };

export async function queueStates(queues: readonly PausableQueue[]): Promise<QueueState[]> {
  return Promise.all(
    queues.map(async (queue) => {
      const {
        waiting = 0,
        prioritized = 0,
        active = 0,
        delayed = 0,
        failed = 0,
      } = await queue.getJobCounts(...(['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const));
      return { name: queue.name, isPaused: await queue.isPaused(), jobs: { waiting, prioritized, active, delayed, failed } };
    }),
  );
}

type Resuming = { pool: Pool; queues: readonly PausableQueue[]; by: Actor };

/** Work is taken from it again. True: it was paused. Throws `Refusal` if there is no such queue. */
export async function resumeQueue({ pool, queues, by }: Resuming, name: string): Promise<boolean> {
  const queue = queues.find((each) => each.name === name);
  const names = queues.map((each) => each.name).join(', ');
  if (queue === undefined)
    throw new Refusal('missing', { en: `there is no queue ${name}`, bg: `няма опашка ${name}` }, { advice: { en: `they are ${names}`, bg: `те са ${names}` } });
  const wasPaused = await queue.isPaused();
  if (!wasPaused) return false;
  // The queue is not in the database: what is written first may not come to pass, but nothing comes to pass unwritten.
  await writeBridgeActs(pool, [{ who: by, act: 'queue.resumed', subject: name }]);
  await queue.resume();
  return true;
}
