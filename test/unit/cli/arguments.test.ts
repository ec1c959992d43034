import { expect, test } from 'vitest';
import { day, dayOrInstant } from '../../../src/cli/input/arguments.ts';

test.each(['2026-02-28', '2028-02-29', '2026-12-31'])('%s is a day', (text) => {
  expect([day(text), dayOrInstant(text)]).toEqual([text, text]);
});

test.each(['2026-02-29', '2026-02-30', '2026-04-31', '2026-13-01', '2026-1-1', 'today'])('%s is none', (text) => {
  expect(() => day(text)).toThrow('It must be a day');
  expect(() => dayOrInstant(text)).toThrow('such as 2026-12-01T00:00:00+02:00');
});
