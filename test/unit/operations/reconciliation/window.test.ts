import { expect, test } from 'vitest';
import { backfillWindow, isInWindow, monthsOf, windowOf } from '../../../../src/operations/reconciliation/window.ts';

const now = Date.parse('2026-11-22T08:00:00Z');

test('without a choice: the open month and the one before, by Bulgarian days', () => {
  expect(windowOf({}, now)).toEqual({ from: '2026-09-30T21:00:00.000Z', to: '2026-11-22T08:00:00.000Z', month: null });
});

test('a month has the bounds of its days, and a record’s own month decides', () => {
  const october = windowOf({ month: '2026-10' }, now);

  expect(october).toEqual({ from: '2026-09-30T21:00:00.000Z', to: '2026-10-31T22:00:00.000Z', month: '2026-10' });
  expect(isInWindow(october, { soldAt: '2026-10-31T21:59:59Z', month: null })).toBe(true);
  expect(isInWindow(october, { soldAt: '2026-10-31T22:00:00Z', month: null })).toBe(false);
  expect(isInWindow(october, { soldAt: '2026-09-05T10:00:00Z', month: '2026-10' })).toBe(true);
  expect(monthsOf(october, now)).toEqual(['2026-10']);
});

test('records of a window may be in the month before it, for they were placed then, and in later ones', () => {
  expect(monthsOf(windowOf({ from: '2026-10-05T00:00:00Z', to: '2026-10-06T00:00:00Z' }, now), now)).toEqual(['2026-09', '2026-10', '2026-11']);
});

test('a backfill reaches up to the connection’s own time, or to today, and days are whole', () => {
  const earlier = { recordFrom: '2026-11-10T00:00:00.000Z', now };

  expect(backfillWindow({ from: '2026-10-01' }, earlier)).toEqual({ from: '2026-09-30T21:00:00.000Z', until: '2026-11-10T00:00:00.000Z' });
  expect(backfillWindow({ from: '2026-10-01', to: '2026-10-31' }, earlier).until).toBe('2026-10-31T22:00:00.000Z');
  expect(backfillWindow({ from: '2026-11-15T00:00:00.000Z' }, earlier).until).toBe('2026-11-22T22:00:00.000Z');
});
