import * as events from '../../../src/bridge/bridge-events.ts';
import type { LoggedEvent } from './logged-events.ts';

const err = new Error('broken');
const wasBroken = { err: 'an error' };

/** The lines about paid orders that are not recorded. */
export const outstandingEvents: LoggedEvent[] = [
  [
    'outstandingReported',
    (log) => events.outstandingReported(log, { shopId: 'shop-1', orders: 3 }),
    {
      ...{ level: 'info', event: 'outstanding.reported', shop: 'shop-1', orders: 3 },
      msg: 'paid orders that are not recorded were reported to the compliance service',
    },
  ],
  [
    'outstandingNotReported',
    (log) => events.outstandingNotReported(log, { shopId: 'shop-1', why: '503' }),
    {
      ...{ level: 'warn', event: 'outstanding.not-reported', shop: 'shop-1', why: '503' },
      msg: 'paid orders that are not recorded could not be reported; it is retried',
    },
  ],
  [
    'storeNotRead',
    (log) => events.storeNotRead(log, { shopId: 'shop-1', month: '2026-10', err }),
    {
      ...{ level: 'error', event: 'month.not-read', shop: 'shop-1', month: '2026-10', ...wasBroken },
      msg: 'the store could not be read for the month; its file is made all the same',
    },
  ],
];
