import * as events from '../../../src/bridge/bridge-events.ts';
import type { LoggedEvent } from './logged-events.ts';

/** The lines about what compliance services are told of records. */
export const outboxJobEvents: LoggedEvent[] = [
  [
    'outboxJobDone',
    (log) => events.outboxJobDone(log, { orderId: 7, kind: 'forget-buyer' }),
    { level: 'debug', event: 'outbox-job.done', order: 7, kind: 'forget-buyer', msg: 'the compliance service took a message about a record' },
  ],
  [
    'outboxJobNotDone',
    (log) => events.outboxJobNotDone(log, { orderId: 7, kind: 'delivered', why: '503' }),
    {
      ...{ level: 'warn', event: 'outbox-job.not-done', order: 7, kind: 'delivered', why: '503' },
      msg: 'the compliance service did not take a message about a record; it is retried',
    },
  ],
  [
    'jobsFailed',
    (log) => events.jobsFailed(log, { kind: 'delivered', err: new Error('broken') }),
    { level: 'error', event: 'jobs.failed', kind: 'delivered', err: 'an error', msg: 'background jobs could not be read, run or kept; they are retried' },
  ],
];
