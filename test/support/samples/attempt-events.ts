import * as events from '../../../src/bridge/bridge-events.ts';
import type { LoggedEvent } from './logged-events.ts';

const err = new Error('broken');
const wasBroken = { err: 'an error' };

/** The lines of the log about attempts at orders. */
export const attemptEvents: LoggedEvent[] = [
  [
    'fetchFailed',
    (log) => events.fetchFailed(log, { orderId: 7, err }),
    { level: 'error', event: 'fetch.failed', order: 7, ...wasBroken, msg: 'an attempt that calls a store failed; its order is processed again' },
  ],
  [
    'attemptFailed',
    (log) => events.attemptFailed(log, { orderId: 7, attempt: 2, err }),
    { level: 'error', event: 'attempt.failed', order: 7, attempt: 2, ...wasBroken, msg: 'an attempt at an order failed; it is processed again' },
  ],
  [
    'attemptFailed',
    (log) => events.attemptFailed(log, { orderId: null, attempt: 1, err }),
    { level: 'error', event: 'attempt.failed', order: null, attempt: 1, ...wasBroken, msg: 'an attempt at an order failed; it is processed again' },
  ],
  [
    'claimFailed',
    (log) => events.claimFailed(log, err),
    { level: 'warn', event: 'claim.failed', ...wasBroken, msg: 'orders that are due could not be claimed; this is retried' },
  ],
];
