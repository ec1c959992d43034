import type { PausableQueue } from '../operations/destinations/destinations.ts';
import { type ComplianceQueues, openComplianceQueues } from './compliance-jobs.ts';
import type { Queues } from './queues.ts';

/** The queues of both programs, also those that this process does not work on. `opened`: those of the compliance service, if it has them open. */
export function everyQueue({ deliveries, submissions, maintenance, system }: Queues, opened?: ComplianceQueues): PausableQueue[] {
  const { jobs, mails } = opened ?? openComplianceQueues(system);
  return [deliveries, submissions, maintenance, jobs, mails];
}
