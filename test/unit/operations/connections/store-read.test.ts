import { expect, test } from 'vitest';
import type { StoreReadState } from '../../../../src/bridge/ledger/sync/sync-store.ts';
import { storeRead } from '../../../../src/operations/connections/connection-warnings.ts';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const clock = { now: NOW, periodMs: 900_000 };
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const live = { closedAt: null, createdAt: at(-600) };
const counts = { seen: 9, unknown: 0, stale: 0, handed: 0, missed: 0, gone: 0, unread: 0 };
const state: StoreReadState = {
  ...{ connectionId: 'c1', watermark: at(-40), readAt: at(-10), addedAt: at(-600), missed: 0, missedAt: null },
  ...{ warning: null, nextAt: at(5), isLeased: false, isDue: false },
  last: { at: at(-10), kind: 'changes', why: null, error: null, ...counts },
};
const failed = { ...state, last: { at: at(-1), kind: 'changes', why: null, error: 'storefront.unreachable: no answer', ...counts } } as const;

test('a store that is read in its rhythm needs no warning', () => {
  expect(storeRead(live, state, clock)).toEqual({
    read: { watermark: at(-40), readAt: at(-10), lastReadAt: at(-10), lastSyncRun: state.last, missed: { count: 0, last: null } },
    warnings: [],
  });
  expect(storeRead(live, undefined, clock)).toEqual({ read: null, warnings: [] });
});

test.each([
  ['one failure', { ...failed, readAt: at(-29) }, null],
  ['two periods', { ...failed, readAt: at(-31) }, `last read by its API at ${at(-31)} (storefront.unreachable: no answer)`],
  ['never', { ...failed, readAt: null }, `never read by its API since ${at(-600)} (storefront.unreachable: no answer)`],
  ['it will be', { ...state, readAt: null, last: null }, `the next reading is at ${at(5)}`],
  ['it is being read', { ...state, readAt: null, last: null, isLeased: true }, 'a worker reads it now'],
  ['nobody does it', { ...state, readAt: null, last: null, nextAt: at(-3) }, `it is due since ${at(-3)}: is a worker running?`],
  ['a reading that does not go on', { ...state, warning: 'its list was begun anew' }, 'its orders are read slowly by its API: its list was begun anew'],
  ['it may be read since a moment ago', { ...state, readAt: null, last: null, addedAt: at(-1) }, null],
] as const)('not read: %s', (_, given, words) => {
  const { warnings } = storeRead(live, given, clock);
  expect(warnings).toEqual(words === null ? [] : [expect.stringContaining(words)]);
});

test('the last reading is the last that came to its end, a wanted one, too', () => {
  const wanted = { at: at(-2), kind: 'wanted', why: 'a person wanted it', error: null, ...counts } as const;
  expect(storeRead(live, { ...state, last: wanted }, clock).read).toMatchObject({ readAt: at(-10), lastReadAt: at(-2) });
  expect(storeRead(live, { ...state, readAt: null, last: wanted }, clock).read).toMatchObject({ readAt: null, lastReadAt: at(-2) });
  expect(storeRead(live, failed, clock).read).toMatchObject({ lastReadAt: at(-10) });
});

test('a disconnected one needs none', () => {
  expect(storeRead({ ...live, closedAt: at(-5) }, { ...failed, readAt: null, missed: 2, missedAt: at(-9) }, clock).warnings).toEqual([]);
});

test('what webhooks missed is a warning for three days', () => {
  const missed = { ...state, missed: 2, missedAt: at(-3 * 24 * 60 + 1) };
  expect(storeRead(live, missed, clock).warnings).toEqual([expect.stringContaining('webhooks did not tell of 2 paid orders')]);
  expect(storeRead(live, { ...missed, missedAt: at(-3 * 24 * 60 - 1) }, clock).warnings).toEqual([]);
});
