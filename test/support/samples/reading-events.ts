import * as events from '../../../src/bridge/bridge-events.ts';
import type { WalkEvent } from '../../../src/bridge/reconciliation/reading-deps.ts';
import type { WalkEnd } from '../../../src/bridge/reconciliation/walk.ts';
import type { LoggedEvent } from './logged-events.ts';

const counts = { seen: 9, unknown: 1, stale: 1, handed: 0, missed: 0, gone: 0, unread: 0 };
const walkLine = { event: 'store.walked', connection: 'c1', kind: 'changes', why: null, ...counts, ms: 12, error: null } as const;

function walk(changes: Partial<WalkEnd>): WalkEvent {
  return { connectionId: 'c1', end: { at: 'now', kind: 'changes', why: null, error: null, ...counts, ...changes }, ms: 12 };
}

/** The lines of stores that are read as a second source. */
export const readingEvents: LoggedEvent[] = [
  ['storeWalked', (log) => events.storeWalked(log, walk({})), { level: 'debug', ...walkLine, msg: 'a store was read by its API' }],
  ['storeWalked', (log) => events.storeWalked(log, walk({ handed: 2 })), { level: 'info', ...walkLine, handed: 2, msg: 'a store was read by its API' }],
  [
    'storeWalked',
    (log) => events.storeWalked(log, walk({ handed: 2, missed: 1 })),
    { level: 'warn', ...walkLine, handed: 2, missed: 1, msg: 'webhooks did not tell of paid orders; they were found by reading the store' },
  ],
  [
    'storeWalked',
    (log) => events.storeWalked(log, walk({ unread: 1 })),
    { level: 'warn', ...walkLine, unread: 1, msg: 'orders of a store could not be read; the daily reading tries them again' },
  ],
  [
    'storeWalked',
    (log) => events.storeWalked(log, walk({ error: 'storefront.unreachable: no answer' })),
    { level: 'warn', ...walkLine, error: 'storefront.unreachable: no answer', msg: 'a store could not be read by its API; what was read is kept' },
  ],
  [
    'readingFailed',
    (log) => events.readingFailed(log, { connectionId: 'c1', err: new Error('broken') }),
    { level: 'error', event: 'reading.failed', connection: 'c1', err: 'an error', msg: 'the reading of a store failed; it goes on later' },
  ],
];
