import { Job, type Queue } from 'bullmq';

/** `timestamp`: since when it waits, ms since 1970. `delay`: from then on, ms. */
export type StandIn<D> = { id: string; data: D; timestamp: number; delay: number; attempts: number };

/** A job that is on no queue, for pages that show work which is kept elsewhere. */
export function standInJob<D>(queue: Queue<D>, { id, data, timestamp, delay, attempts }: StandIn<D>): Job<D> {
  const job = new Job<D>(queue, queue.name, data, { timestamp, delay }, id);
  job.attemptsMade = attempts;
  return job;
}
