import type { PausableQueue } from '../operations/destinations/destinations.ts';
import type { Queues } from './queues.ts';

/** Every queue, also those that this process does not work on. */
export function everyQueue({ deliveries, submissions, maintenance }: Queues): PausableQueue[] {
  return [deliveries, submissions, maintenance];
}
