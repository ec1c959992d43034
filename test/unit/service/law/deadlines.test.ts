import { expect, test } from 'vitest';
import { deadlineOf, firstMonthInTerm, reminderOf } from '../../../../src/service/law/deadlines.ts';

test.each([
  ['2026-11', '2026-12-15', 'a Tuesday'],
  ['2026-10', '2026-11-16', 'the 15th is a Sunday'],
  ['2026-07', '2026-08-17', 'the 15th is a Saturday'],
  ['2023-03', '2023-04-18', 'the 15th is Holy Saturday'],
  ['2026-12', '2027-01-15', 'over the year’s end'],
])('the file of %s is due on %s: %s', (month, day) => {
  expect(deadlineOf(month)).toBe(day);
});

// A month is closed from the day after its deadline.
test.each([
  ['2026-11-01', '2026-10'],
  ['2026-11-16', '2026-10'],
  ['2026-11-17', '2026-11'],
  ['2027-01-15', '2026-12'],
  ['2027-01-16', '2027-01'],
])('on %s the earliest month in term is %s', (day, month) => {
  expect(firstMonthInTerm(day)).toBe(month);
});

test('the reminder comes on the 12th of the next month', () => {
  expect(reminderOf('2026-12')).toBe('2027-01-12');
});
