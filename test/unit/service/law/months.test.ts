import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, addMonths, lastDayOf, monthOf, weekdayOf } from '../../../../src/service/law/calendar.ts';

test.each([
  ['2026-10', 1, '2026-11'],
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-03', -15, '2024-12'],
  ['2026-03', 0, '2026-03'],
])('%s and %i months is %s', (month, count, result) => {
  expect(addMonths(month, count)).toBe(result);
});

test.each([
  ['2026-02-28', 1, '2026-03-01'],
  ['2028-02-28', 1, '2028-02-29'],
  ['2026-01-01', -1, '2025-12-31'],
  ['2026-03-28', 2, '2026-03-30'],
])('%s and %i days is %s', (day, count, result) => {
  expect(addDays(day, count)).toBe(result);
});

test.each([
  ['2026-10', '2026-10-31'],
  ['2026-02', '2026-02-28'],
  ['2028-02', '2028-02-29'],
  ['2026-12', '2026-12-31'],
])('%s ends on %s', (month, day) => {
  expect(lastDayOf(month)).toBe(day);
  expect(monthOf(day)).toBe(month);
});

test('Monday is 1, Sunday is 7', () => {
  expect(['2026-11-16', '2026-11-21', '2026-11-22'].map(weekdayOf)).toEqual([1, 6, 7]);
});

test('adding days and months is undone by subtracting them', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
      fc.integer({ min: -400, max: 400 }),
      (date, count) => {
        const day = date.toISOString().slice(0, 10);
        expect(addDays(addDays(day, count), -count)).toBe(day);
        expect(addMonths(addMonths(monthOf(day), count), -count)).toBe(monthOf(day));
      },
    ),
  );
});
