import * as events from '../../../src/bridge/bridge-events.ts';
import type { SubscriptionProblem } from '../../../src/bridge/reconciliation/evaluate-subscriptions.ts';
import type { WatchResult } from '../../../src/bridge/reconciliation/watch-subscriptions.ts';
import type { LoggedEvent } from './logged-events.ts';

const disabled: SubscriptionProblem = { topic: 'paid', kind: 'disabled', words: 'w', repairs: 'itself', creates: true, ids: ['1'] };
const watched: Extract<WatchResult, { kind: 'watched' }> = { kind: 'watched', before: [], repaired: [], stopped: null, ours: [], problems: [], advice: [] };

/** The lines about webhooks of stores. */
export const subscriptionEvents: LoggedEvent[] = [
  [
    'notesSwitchedOff',
    (log) => events.notesSwitchedOff(log, { connectionId: 'c1', why: 'it may only read' }),
    {
      ...{ level: 'warn', event: 'notes.switched-off', connection: 'c1', why: 'it may only read' },
      msg: 'the key of a store may not write: no notes are written to its orders any more',
    },
  ],
  [
    'subscriptionsWatched',
    (log) =>
      events.subscriptionsWatched(log, {
        connectionId: 'c1',
        watched: { kind: 'not-listed', denial: null, code: 'storefront.unreachable', detail: 'no answer' },
      }),
    {
      level: 'warn',
      event: 'subscriptions.not-listed',
      connection: 'c1',
      code: 'storefront.unreachable',
      detail: 'no answer',
      msg: 'a store did not list its webhooks',
    },
  ],
  [
    'subscriptionsWatched',
    (log) => events.subscriptionsWatched(log, { connectionId: 'c1', watched: { ...watched, repaired: ['paid'] } }),
    { level: 'info', event: 'subscriptions.repaired', connection: 'c1', topics: ['paid'], msg: 'webhooks of a store were made anew' },
  ],
  [
    'subscriptionsWatched',
    (log) => events.subscriptionsWatched(log, { connectionId: 'c1', watched: { ...watched, problems: [disabled], stopped: 'it may not write' } }),
    {
      level: 'warn',
      event: 'subscriptions.broken',
      connection: 'c1',
      problems: ['paid disabled'],
      stopped: 'it may not write',
      msg: 'something is wrong with the webhooks of a store',
    },
  ],
  [
    'subscriptionsWatched',
    (log) => events.subscriptionsWatched(log, { connectionId: 'c1', watched: { ...watched, before: [{ ...disabled, words: 'w' }] } }),
    { level: 'info', event: 'subscriptions.right', connection: 'c1', msg: 'the webhooks of a store are right again' },
  ],
  [
    'watchFailed',
    (log) => events.watchFailed(log, { connectionId: 'c1', err: new Error('broken') }),
    {
      level: 'error',
      event: 'subscriptions.failed',
      connection: 'c1',
      err: 'an error',
      msg: 'looking after the webhooks of a store failed; it is retried',
    },
  ],
];
