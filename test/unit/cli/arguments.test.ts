import { expect, test } from 'vitest';
import { day, dayOrInstant, instant } from '../../../src/cli/input/arguments.ts';

test.each(['2026-02-28', '2028-02-29', '2026-12-31'])('%s is a day', (text) => {
  expect([day(text), dayOrInstant(text)]).toEqual([text, text]);
});

test.each(['2026-02-29', '2026-02-30', '2026-04-31', '2026-13-01', '2026-1-1', 'today'])('%s is none', (text) => {
  expect(() => day(text)).toThrow('It must be a day');
  expect(() => dayOrInstant(text)).toThrow('such as 2026-12-01T00:00:00+02:00');
});

test('a moment has an offset, and is one of a day that the calendar has', () => {
  expect(['2028-02-29T00:00:00+02:00', '2026-12-01T10:00Z'].map(instant)).toEqual(['2028-02-28T22:00:00.000Z', '2026-12-01T10:00:00.000Z']);
  for (const text of ['2026-11-31T00:00:00+02:00', '2026-02-29T00:00:00Z', '2026-11-01T00:00:00+20:00', '2026-11-01T00:00:00', '2026-11-01T25:00:00Z'])
    expect(() => instant(text), text).toThrow('such as 2026-12-01T00:00:00+02:00');
});
