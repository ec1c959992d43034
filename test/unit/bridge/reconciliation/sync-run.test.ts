import { describe, expect, test } from 'vitest';
import type { SummaryRead } from '../../../../src/bridge/reconciliation/read-page.ts';
import {
  afterBlock,
  afterPage,
  afterSyncRun,
  countMissed,
  nextSyncRun,
  type Rhythm,
  type StoreSync,
  type SyncRun,
  withSyncRun,
} from '../../../../src/bridge/reconciliation/sync-run.ts';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const rhythm: Rhythm = { periodMs: 900_000, lagMs: 600_000, recordFrom: '2026-01-01T00:00:00.000Z', now: NOW };
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const new_: StoreSync = { connectionId: 'c1', watermark: null, syncRuns: {}, windows: {}, wanted: [], last: null, readAt: null };
/** Read a moment ago. */
const read: StoreSync = { ...new_, watermark: at(-20), readAt: at(-5), windows: { changesDue: at(10), months: at(-60) } };
const wanted = (minutes: number, why: string) => ({ since: at(minutes), why, at: at(minutes) });

function due(reading: StoreSync, changes: Partial<Rhythm> = {}): SyncRun {
  const syncRun = nextSyncRun(reading, { ...rhythm, ...changes });
  if (syncRun === null) throw new Error('nothing is due');
  return syncRun;
}

function summary(changes: Partial<SummaryRead['summary']> = {}, is: SummaryRead['is'] = 'unknown'): SummaryRead {
  const order = { orderId: '7', number: '#7', updatedAt: at(-10), status: 'paid', lifecycle: 'live', payment: 'paid', test: false } as const;
  return { is, summary: { ...order, currency: 'EUR', total: '24.00', soldAt: at(-10), kept: null, refundIds: [], ...changes } };
}

const page = (summaries: SummaryRead[], next: string | null = null) => ({ summaries, next });

describe('what is read next', () => {
  test('of a new store what changed since before the previous month, or since orders are recorded', () => {
    expect(due(new_)).toMatchObject({ kind: 'changes', since: '2026-09-30T00:00:00.000Z', after: null, size: 100 });
    expect(due(new_, { recordFrom: at(-90) })).toMatchObject({ since: at(-90) });
  });

  test('nothing before its time; then what changed since the watermark, less the lag of the list', () => {
    expect(nextSyncRun(read, rhythm)).toBeNull();
    expect(due(read, { now: Date.parse(at(10)) })).toMatchObject({ kind: 'changes', since: at(-30), why: null });
  });

  test('after a gap the watermark covers it, and the sync run says so', () => {
    expect(due({ ...read, readAt: at(-31), windows: { ...read.windows, changesDue: at(-16) } })).toMatchObject({
      since: at(-30),
      why: `not read since ${at(-31)}`,
    });
  });

  test('a sync run under way before all others; changes in the middle of a window', () => {
    const months = { ...due({ ...read, windows: { ...read.windows, months: at(-24 * 60) } }), after: 'page 3' };
    expect(months.kind).toBe('months');
    const under = withSyncRun(read, months);
    expect(nextSyncRun(under, rhythm)).toEqual(months);
    expect(due(under, { now: Date.parse(at(10)) })).toMatchObject({ kind: 'changes' });
  });

  test('windows that are wanted are one sync run, from the earliest on, and are not wanted any longer', () => {
    const reading = { ...read, wanted: [wanted(-100, 'repaired'), wanted(-200, 'asked for')] };
    const syncRun = due(reading);
    expect(syncRun).toMatchObject({ kind: 'wanted', since: at(-200), why: 'repaired; asked for' });
    const ended = afterSyncRun(withSyncRun(reading, syncRun), syncRun, { ...rhythm, jitterMs: 0 });
    expect(ended.wanted).toEqual([]);
    expect(nextSyncRun(ended, rhythm)).toBeNull();
    // It is none of the changes since the watermark.
    expect(ended.watermark).toBe(read.watermark);
    expect(ended.readAt).toBe(read.readAt);
  });
});

describe('how a sync run ends', () => {
  const ended = (reading: StoreSync, summaries: SummaryRead[], changes: Partial<Rhythm> = {}) =>
    afterSyncRun(reading, afterPage(due(reading, { now: Date.parse(at(10)) }), page(summaries), { missed: 0, now: Date.parse(at(10)) }), {
      ...rhythm,
      jitterMs: 0,
      now: Date.parse(at(11)),
      ...changes,
    });

  test('the watermark is the newest change that was listed; one behind it leaves it where it was', () => {
    expect(ended(read, [summary({ updatedAt: at(-3) }), summary({ updatedAt: at(-4) })]).watermark).toBe(at(-3));
    expect(ended(read, [summary({ updatedAt: at(-25) })]).watermark).toBe(at(-20));
    expect(ended(read, []).watermark).toBe(at(-20));
  });

  test('an order in the trash does not move it: the trash may be listed after all else, and what changed in between is behind it', () => {
    expect(ended(read, [summary({ updatedAt: at(-9) }), summary({ updatedAt: at(-1), lifecycle: 'trashed' })]).watermark).toBe(at(-9));
    expect(ended(read, [summary({ updatedAt: at(-1), lifecycle: 'trashed' })]).watermark).toBe(at(-20));
  });

  test('an order that is dated ahead does not move it either: the sync run may end long after its page', () => {
    expect(ended(read, [summary({ updatedAt: at(-3) }), summary({ updatedAt: at(500) })], { now: Date.parse(at(40)) }).watermark).toBe(at(-3));
    expect(ended(read, [summary({ updatedAt: at(10.5) })]).watermark).toBe(at(-20));
  });

  test('in an empty new store nothing has changed since the sync run’s beginning, and the months were read with it', () => {
    const first = ended(new_, []);
    expect(first.watermark).toBe('2026-09-30T00:00:00.000Z');
    expect(nextSyncRun(first, { ...rhythm, now: Date.parse(at(11)) })).toBeNull();
  });

  test('nor does a first sync run move it ahead of the clock, if orders are recorded from a later moment on', () => {
    const ahead = { ...rhythm, recordFrom: at(30_000) };
    const first = afterSyncRun(new_, afterPage(due(new_, ahead), page([]), { missed: 0, now: NOW }), { ...ahead, jitterMs: 0 });
    expect(first.watermark).toBe(at(0));
  });

  test('the next is due a period after it began, and not before a minute after it ended', () => {
    expect(ended(read, []).windows.changesDue).toBe(at(25));
    expect(ended(read, [], { now: Date.parse(at(60)) }).windows.changesDue).toBe(at(61));
  });

  test('counts are those of all its pages', () => {
    const listed = afterPage(due(new_), page([summary(), summary({ orderId: '8' }, 'stale'), summary({ orderId: '9' }, 'known')], 'more'), {
      missed: 1,
      now: NOW,
    });
    expect(listed).toMatchObject({
      after: 'more',
      pending: [{ orderId: '7' }, { orderId: '8' }],
      counts: { seen: 3, unknown: 1, stale: 1, handed: 0, missed: 1 },
    });
    const syncRun = afterBlock(listed, { handed: 2, unread: 0, size: 2 });
    expect(syncRun).toMatchObject({ pending: [], counts: { handed: 2 } });
    expect(afterPage(syncRun, page([summary()]), { missed: 0, now: NOW }).counts).toMatchObject({ seen: 4, unknown: 2, handed: 2, missed: 1 });
  });
});

test.each([
  ['minutes old and unknown', summary(), 1],
  ['stale', summary({}, 'stale'), 1],
  ['known', summary({}, 'known'), 0],
  ['changed a moment ago: its webhook may be on its way', summary({ updatedAt: at(-4) }), 0],
  ['not paid', summary({ payment: 'unpaid' }), 0],
  ['a test', summary({ test: true }), 0],
  ['sold before orders are recorded', summary({ soldAt: '2025-12-31T23:59:59.000Z' }), 0],
  ['from before the store was connected', summary({ updatedAt: at(-61) }), 0],
  ['changed while the store was disconnected', summary({ updatedAt: at(-20) }), 0],
  ['paid while the store was disconnected', summary({ soldAt: at(-20) }), 0],
] as const)('an order that is %s', (_, one, missed) => {
  expect(countMissed({ summaries: [one] }, { recordFrom: rhythm.recordFrom, createdAt: at(-60), gaps: [{ from: at(-25), until: at(-15) }] }, NOW)).toBe(missed);
});
