import * as events from '../../../src/bridge/bridge-events.ts';
import type { SyncRunEvent } from '../../../src/bridge/reconciliation/reading-deps.ts';
import type { SyncRunEnd } from '../../../src/bridge/reconciliation/sync-run.ts';
import type { LoggedEvent } from './logged-events.ts';

const counts = { seen: 9, unknown: 1, stale: 1, handed: 0, missed: 0, gone: 0, unread: 0 };
const syncRunLine = { event: 'store.synced', connection: 'c1', kind: 'changes', why: null, ...counts, ms: 12, error: null } as const;

function syncRun(changes: Partial<SyncRunEnd>): SyncRunEvent {
  return { connectionId: 'c1', end: { at: 'now', kind: 'changes', why: null, error: null, ...counts, ...changes }, ms: 12 };
}

/** The lines of stores that are read as a second source. */
export const readingEvents: LoggedEvent[] = [
  ['storeSynced', (log) => events.storeSynced(log, syncRun({})), { level: 'debug', ...syncRunLine, msg: 'a store was read by its API' }],
  ['storeSynced', (log) => events.storeSynced(log, syncRun({ handed: 2 })), { level: 'info', ...syncRunLine, handed: 2, msg: 'a store was read by its API' }],
  [
    'storeSynced',
    (log) => events.storeSynced(log, syncRun({ handed: 2, missed: 1 })),
    { level: 'warn', ...syncRunLine, handed: 2, missed: 1, msg: 'webhooks did not tell of paid orders; they were found by reading the store' },
  ],
  [
    'storeSynced',
    (log) => events.storeSynced(log, syncRun({ unread: 1 })),
    { level: 'warn', ...syncRunLine, unread: 1, msg: 'orders of a store could not be read; the daily reading tries them again' },
  ],
  [
    'storeSynced',
    (log) => events.storeSynced(log, syncRun({ error: 'storefront.unreachable: no answer' })),
    { level: 'warn', ...syncRunLine, error: 'storefront.unreachable: no answer', msg: 'a store could not be read by its API; what was read is kept' },
  ],
];
