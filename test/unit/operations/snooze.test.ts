import { describe, expect, test } from 'vitest';
import { snoozedUntil } from '../../../src/operations/review/assign.ts';
import { latestSnooze } from '../../../src/operations/review/issue-group.ts';

const until = (how: string, today: string, more: { day?: string; latest?: string } = {}) =>
  snoozedUntil({ how, day: more.day ?? '' }, { today, latest: more.latest ?? '2027-12-12' });

describe('a snooze ends', () => {
  test.each([
    ['tomorrow', '2026-02-28', '2026-03-01'],
    ['tomorrow', '2026-12-31', '2027-01-01'],
    // The clock goes back, and forward.
    ['tomorrow', '2026-10-24', '2026-10-25'],
    ['tomorrow', '2026-03-28', '2026-03-29'],
    ['week', '2026-11-29', '2026-11-30'],
    ['week', '2026-11-30', '2026-12-07'],
    ['week', '2026-12-30', '2027-01-04'],
    ['', '2026-11-30', null],
    ['year', '2026-11-30', null],
  ])('%s, said on %s: %s', (how, today, end) => {
    expect(until(how, today)).toBe(end);
  });

  test.each([
    ['2026-12-03', '2026-12-03'],
    ['2026-11-30', null],
    ['2026-11-01', null],
    ['2026-02-30', null],
    ['soon', null],
  ])('on the day %s', (day, end) => {
    expect(until('day', '2026-11-30', { day })).toBe(end);
  });

  test('always before the term of the month', () => {
    expect(until('day', '2026-12-01', { day: '2027-06-01', latest: '2026-12-12' })).toBe('2026-12-12');
    expect(until('week', '2026-12-11', { latest: '2026-12-12' })).toBe('2026-12-12');
    expect(until('tomorrow', '2026-12-12', { latest: '2026-12-12' })).toBeNull();
    expect(until('tomorrow', '2026-12-14', { latest: '2026-12-12' })).toBeNull();
  });
});

describe('the latest day is that on which the file of the first month is made', () => {
  test.each([
    [['2026-11', '2026-12'], '2026-12-05', '2026-12-12'],
    [['2026-12'], '2026-12-31', '2027-01-12'],
    // Its term is over: the order is listed in the month that is still open.
    [['2026-09'], '2026-11-20', '2026-12-12'],
    [['2026-10'], '2026-11-14', '2026-11-12'],
    [[null], '2026-11-20', '2026-12-12'],
    [[], '2026-11-20', '2026-12-12'],
  ])('%j on %s', (months, today, latest) => {
    expect(latestSnooze(months, today)).toBe(latest);
  });
});
