import { expect, test } from 'vitest';
import { goOn, startFrom, takeFrom } from '../../../../src/bridge/connections/new-connection.ts';

const span = { recordFrom: '2026-01-01T00:00:00.000Z', gaps: [] };
const closedAt = '2026-03-01T00:00:00.000Z';
const nextDay = '2026-03-02T00:00:00.000Z';
const later = '2026-03-02T00:00:00.001Z';

test('a store that was away for a day at most goes on as if nothing had happened', () => {
  expect(goOn({ ...span, closedAt }, { at: nextDay, from: null })).toEqual({ ...span, gap: null });
});

test('what was paid while it was away for longer is left out, and earlier gaps stay', () => {
  const gaps = [{ from: '2026-02-01T00:00:00.000Z', until: '2026-02-10T00:00:00.000Z' }];
  const gap = { from: closedAt, until: later };

  expect(goOn({ ...span, gaps, closedAt }, { at: later, from: null })).toEqual({ ...span, gaps: [...gaps, gap], gap });
});

test.each([
  ['its end: nothing is left out', closedAt, null],
  ['the middle of that time: what was paid before is left out', '2026-03-01T12:00:00.000Z', { from: closedAt, until: '2026-03-01T12:00:00.000Z' }],
])('a store that was away takes orders from %s', (_what, from, gap) => {
  expect(goOn({ ...span, closedAt }, { at: later, from })).toEqual({ ...span, gaps: gap === null ? [] : [gap], gap });
});

test('an earlier start takes more orders, and a later one leaves none out', () => {
  expect(takeFrom(span, '2025-12-01T00:00:00.000Z')).toEqual({ recordFrom: '2025-12-01T00:00:00.000Z', gaps: [] });
  expect(takeFrom(span, '2026-12-01T00:00:00.000Z')).toEqual(span);
  expect(takeFrom(span, null)).toEqual(span);
});

test('a trial of a store that never recorded ends with what is paid from the start on', () => {
  expect(startFrom({ ...span, recordedUntil: null }, later)).toEqual({ recordFrom: later, gaps: [] });
});

test.each([
  ['after it was disconnected leaves out what was paid in between', later, [{ from: closedAt, until: later }]],
  ['before it was disconnected leaves out nothing', '2026-02-15T00:00:00.000Z', []],
])('a trial of a store that recorded before goes on, and a start %s', (_what, from, gaps) => {
  const earlier = { from: '2026-02-01T00:00:00.000Z', until: '2026-02-10T00:00:00.000Z' };
  const given = { ...span, gaps: [earlier, { from: closedAt, until: nextDay }], recordedUntil: closedAt };

  expect(startFrom(given, from)).toEqual({ ...span, gaps: [earlier, ...gaps] });
});

test('a start before all that it recorded takes in everything since', () => {
  expect(startFrom({ ...span, recordedUntil: closedAt }, '2025-12-01T00:00:00.000Z')).toEqual({ recordFrom: '2025-12-01T00:00:00.000Z', gaps: [] });
});
