import type { Queue } from 'bullmq';
import { z } from 'zod';
import type { QueueSystem } from '../platform/queue/queue-system.ts';

/** BullMQ queues of our compliance service; names are part of the operators' interface. */
export const COMPLIANCE = 'compliance';
export const MAILS = 'mails';

/** tick: look for work that is due. month: make the file of a month and mail it. rates: fetch the newest exchange rates. */
const complianceJob = z.discriminatedUnion('what', [
  z.object({ v: z.literal(1), what: z.literal('tick') }),
  z.object({ v: z.literal(1), what: z.literal('month'), shopId: z.string(), month: z.string() }),
  z.object({ v: z.literal(1), what: z.literal('rates') }),
]);
export type ComplianceJob = z.output<typeof complianceJob>;

/** round: queue the mails of the outbox that are due. send: one mail. */
const mailJob = z.discriminatedUnion('what', [
  z.object({ v: z.literal(1), what: z.literal('round') }),
  z.object({ v: z.literal(1), what: z.literal('send'), id: z.string() }),
]);
export type MailJob = z.output<typeof mailJob>;

export function readComplianceJob(data: unknown): ComplianceJob {
  return known(complianceJob.safeParse(data), COMPLIANCE);
}

export function readMailJob(data: unknown): MailJob {
  return known(mailJob.safeParse(data), MAILS);
}

function known<T>(parsed: z.ZodSafeParseResult<T>, queue: string): T {
  if (!parsed.success) throw new Error(`a job of the queue ${queue} has an unknown version or shape`);
  return parsed.data;
}

/** The queues of our compliance service. */
export type ComplianceQueues = { jobs: Queue<ComplianceJob>; mails: Queue<MailJob> };

export function openComplianceQueues(system: QueueSystem): ComplianceQueues {
  return { jobs: system.queue<ComplianceJob>(COMPLIANCE), mails: system.queue<MailJob>(MAILS) };
}
