import { describe, expect, test } from 'vitest';
import { countsOn, nothingBetween, publishedUntil } from '../../../../src/service/rates/counting-days.ts';

function sheet(publishedOn: string, countsUntil = publishedOn, superseded = false) {
  return { publishedOn, countsUntil, superseded };
}

describe('the newest sheet before a day', () => {
  test.each([
    ['counts on its own day', { newest: sheet('2026-11-20'), day: '2026-11-20' }, true],
    ['counts on Saturday and Sunday after a Friday', { newest: sheet('2026-11-20'), day: '2026-11-22' }, true],
    ['does not count on the Monday, which may have its own sheet', { newest: sheet('2026-11-20'), day: '2026-11-23' }, false],
    ['counts over Easter', { newest: sheet('2026-04-09'), day: '2026-04-13' }, true],
    ['does not count after Easter', { newest: sheet('2026-04-09'), day: '2026-04-14' }, false],
    ['counts on a day off that moved from a weekend', { newest: sheet('2026-12-23'), day: '2026-12-28' }, true],
    ['does not count if a working day lies in between', { newest: sheet('2026-11-19'), day: '2026-11-21' }, false],
    ['counts if it was fetched after 18:00 of that working day', { newest: sheet('2026-11-19', '2026-11-20'), day: '2026-11-22' }, true],
    ['and not on the working day after that', { newest: sheet('2026-11-19', '2026-11-20'), day: '2026-11-23' }, false],
    ['does not count if a newer one is known, which lacks the currency', { newest: sheet('2026-11-20', '2026-11-22', true), day: '2026-11-21' }, false],
    ['does not count over the first of January 2026, which had a sheet', { newest: sheet('2025-12-30'), day: '2026-01-02' }, false],
    ['counts on the last day of 2025, which was declared free', { newest: sheet('2025-12-30'), day: '2025-12-31' }, true],
    ['counts on the second of January 2026', { newest: sheet('2026-01-01'), day: '2026-01-04' }, true],
    ['does not count on a Saturday of a year whose swapped Saturdays are not known', { newest: sheet('2015-09-11'), day: '2015-09-12' }, false],
    ['does not count on a Saturday that was worked', { newest: sheet('2016-09-16'), day: '2016-09-17' }, false],
    ['D15: counts for a week', { newest: sheet('2026-11-02', '2026-12-31'), day: '2026-11-09' }, true],
    ['D15: and no longer, although it was fetched as the newest', { newest: sheet('2026-11-02', '2026-12-31'), day: '2026-11-10' }, false],
  ])('%s', (_what, { newest, day }, counts) => {
    expect(countsOn(day, newest)).toBe(counts);
  });
});

describe('the last day whose sheet is out', () => {
  test.each([
    ['2026-11-20T15:59:59Z', '2026-11-19', '17:59 in winter'],
    ['2026-11-20T16:00:00Z', '2026-11-20', '18:00 in winter'],
    ['2026-06-01T14:59:59Z', '2026-05-31', '17:59 in summer'],
    ['2026-06-01T15:00:00Z', '2026-06-01', '18:00 in summer'],
    ['2026-11-20T22:30:00Z', '2026-11-20', 'half past midnight of the next day'],
    ['2026-12-31T23:00:00Z', '2026-12-31', 'one o’clock of the new year'],
  ])('at %s is %s: %s', (now, day) => {
    expect(publishedUntil(new Date(now))).toBe(day);
  });
});

test('a complete list of sheets means that nothing was published between two of them', () => {
  expect(nothingBetween(['2025-12-29', '2025-12-30', '2026-01-01'])).toEqual([
    { sheet: '2025-12-29', until: '2025-12-29' },
    { sheet: '2025-12-30', until: '2025-12-31' },
  ]);
  expect(nothingBetween(['2026-11-20'])).toEqual([]);
});
