import type { PausableQueue } from '../operations/health/queue-states.ts';
import { openComplianceQueues } from './compliance-work.ts';
import type { Queues } from './queues.ts';

/** The queues of both programs, also those that this process does not work on. */
export function everyQueue({ deliveries, submissions, maintenance, system }: Queues): PausableQueue[] {
  const { jobs, mails } = openComplianceQueues(system);
  return [deliveries, submissions, maintenance, jobs, mails];
}
