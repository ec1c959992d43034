import { describe, expect, test } from 'vitest';
import { dayRange, instantsOf, isInstant, namedDays } from '../../../src/operations/day-range.ts';

test.each([
  ['2026-03-01', { yesterday: '2026-02-28', week: '2026-02-23', month: ['2026-03-01', '2026-03-31'] }],
  ['2028-03-01', { yesterday: '2028-02-29', week: '2028-02-24', month: ['2028-03-01', '2028-03-31'] }],
  ['2026-11-30', { yesterday: '2026-11-29', week: '2026-11-24', month: ['2026-11-01', '2026-11-30'] }],
  ['2027-01-01', { yesterday: '2026-12-31', week: '2026-12-26', month: ['2027-01-01', '2027-01-31'] }],
])('the days that are mostly looked at on %s', (today, { yesterday, week, month: [from, to] }) => {
  expect(namedDays(today)).toEqual({
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    since: { from: yesterday, to: today },
    week: { from: week, to: today },
    month: { from, to },
  });
});

test.each([
  ['2026-11-29T08:12:00.000Z', true],
  ['0001-01-01T00:00:00.000Z', true],
  ['9999-12-31T23:59:59.999Z', true],
  ['0000-01-01T00:00:00.000Z', false],
  ['-000001-01-01T00:00:00.000Z', false],
  ['+010000-01-01T00:00:00.000Z', false],
  ['2026-02-31T00:00:00.000Z', false],
  ['2026-11-29', false],
])('an instant of an address that PostgreSQL reads, too: %s is one: %s', (text, isOne) => {
  expect(isInstant(text)).toBe(isOne);
});

describe('days of Sofia begin and end at its midnight', () => {
  test.each([
    // The day on which the clock goes forward has 23 hours, and the one on which it goes back 25.
    ['2026-03-29', '2026-03-28T22:00:00.000Z', '2026-03-29T21:00:00.000Z'],
    ['2026-10-25', '2026-10-24T21:00:00.000Z', '2026-10-25T22:00:00.000Z'],
    ['2026-12-31', '2026-12-30T22:00:00.000Z', '2026-12-31T22:00:00.000Z'],
  ])('%s', (day, from, until) => {
    expect(instantsOf({ from: day, to: day })).toEqual({ from, until });
  });

  test('one that is not said has no end', () => {
    expect(instantsOf(dayRange({ from: '2026-02-30', to: 'x' }))).toEqual({ from: null, until: null });
    expect(dayRange({ from: '2026-02-28', to: '2026-03-01' })).toEqual({ from: '2026-02-28', to: '2026-03-01' });
  });
});
