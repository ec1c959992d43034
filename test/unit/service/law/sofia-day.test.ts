import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sofiaDay } from '../../../../src/service/law/calendar.ts';

test.each([
  ['2026-11-20T21:59:59Z', '2026-11-20'],
  ['2026-11-20T22:00:00Z', '2026-11-21'],
  ['2026-07-01T21:00:00.000+00:00', '2026-07-02'],
  ['2026-11-20T23:30:00', '2026-11-20'],
  ['2026-03-29T00:59:59+03:00', '2026-03-28'],
])('%s is %s in Bulgaria', (timestamp, day) => {
  expect(sofiaDay(timestamp)).toBe(day);
});

test('the day is that of the calendar, also when lookups repeat in any order', () => {
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Sofia', dateStyle: 'short' });
  const moment = fc.integer({ min: Date.UTC(1870, 0), max: Date.UTC(2100, 0) });

  fc.assert(
    fc.property(fc.array(moment, { minLength: 1, maxLength: 40 }), (moments) => {
      for (const at of moments.flatMap((one) => [one, one + 1_799_000, one])) expect(sofiaDay(new Date(at).toISOString())).toBe(calendar.format(at));
    }),
    { numRuns: 300 },
  );
});

test('text that is no timestamp is refused', () => {
  expect(() => sofiaDay('yesterdayZ')).toThrow(RangeError);
});
