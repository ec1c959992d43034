import { describe, expect, test } from 'vitest';
import { addDays, isWorkingDay, weekdayOf, workingDayFrom } from '../../../../src/service/law/calendar.ts';

/** Free days from Monday to Friday, as they were published for each year. */
const freeWeekdays: Record<string, string> = {
  2016: '01-01 03-03 03-04 04-29 05-02 05-06 05-23 05-24 09-05 09-06 09-22 09-23 12-26',
  2017: '01-02 03-03 04-14 04-17 05-01 05-08 05-24 09-06 09-22 12-25 12-26 12-27',
  2018: '01-01 03-05 04-06 04-09 05-01 05-07 05-24 09-06 09-24 12-24 12-25 12-26',
  2019: '01-01 03-04 04-26 04-29 05-01 05-06 05-24 09-06 09-23 12-24 12-25 12-26',
  2020: '01-01 03-03 04-17 04-20 05-01 05-06 05-25 09-07 09-22 12-24 12-25 12-28',
  2021: '01-01 03-03 04-30 05-03 05-04 05-06 05-24 09-06 09-22 12-24 12-27 12-28',
  2022: '01-03 03-03 04-22 04-25 05-02 05-06 05-24 09-06 09-22 12-26 12-27 12-28',
  2023: '01-02 03-03 04-14 04-17 05-01 05-08 05-24 09-06 09-22 12-25 12-26 12-27',
  2024: '01-01 03-04 05-01 05-03 05-06 05-24 09-06 09-23 12-24 12-25 12-26',
  2025: '01-01 03-03 04-18 04-21 05-01 05-06 05-26 09-08 09-22 12-24 12-25 12-26 12-31',
  2026: '01-01 01-02 03-03 04-10 04-13 05-01 05-06 05-25 09-07 09-22 12-24 12-25 12-28',
  2027: '01-01 03-03 04-30 05-03 05-04 05-06 05-24 09-06 09-22 12-24 12-27 12-28',
};

test.each(Object.entries(freeWeekdays))('the free weekdays of %s are those that were published', (year, days) => {
  const free = daysOf(Number(year)).filter((day) => weekdayOf(day) < 6 && !isWorkingDay(day));

  expect(free.map((day) => day.slice(5)).join(' ')).toBe(days);
});

test('Saturdays and Sundays are free, but for the Saturdays of 2016 that were swapped', () => {
  const worked = Object.keys(freeWeekdays).flatMap((year) => daysOf(Number(year)).filter((day) => weekdayOf(day) > 5 && isWorkingDay(day)));

  expect(worked).toEqual(['2016-03-12', '2016-05-14', '2016-09-10', '2016-09-17']);
});

describe('Orthodox Easter', () => {
  test.each(
    [
      ['2000-04-30', '2013-05-05', '2016-05-01', '2024-05-05', '2025-04-20', '2026-04-12'],
      ['2001-04-15', '2010-04-04', '2019-04-28', '2021-05-02', '2027-05-02', '2028-04-16'],
    ].flat(),
  )('%s: free from Good Friday to Easter Monday, and not before', (sunday) => {
    expect([-2, 1].map((offset) => isWorkingDay(addDays(sunday, offset)))).toEqual([false, false]);
    expect(isWorkingDay(addDays(sunday, -3))).toBe(true);
  });
});

describe('the next working day', () => {
  test.each([
    ['is the day itself if that is one', '2026-11-20', '2026-11-20'],
    ['is Monday after a Saturday', '2026-11-21', '2026-11-23'],
    ['comes after Easter', '2026-04-10', '2026-04-14'],
    ['comes after a holiday that was moved', '2026-12-24', '2026-12-29'],
    ['comes after the days of the changeover', '2025-12-31', '2026-01-05'],
  ])('%s', (_what, day, next) => {
    expect(workingDayFrom(day)).toBe(next);
  });
});

function daysOf(year: number): string[] {
  const days: string[] = [];
  for (let day = `${year}-01-01`; day.startsWith(String(year)); day = addDays(day, 1)) days.push(day);
  return days;
}
