import { expect, test } from 'vitest';
import { waitMs } from '../../../src/platform/jobs/run-jobs.ts';

const backoff = { firstMs: 1_000, mostMs: 60_000 };

test.each<[string, number, number | null, number]>([
  ['begins with the first', 1, null, 1_000],
  ['doubles', 4, null, 8_000],
  ['ends with the longest', 7, null, 60_000],
  ['stays there', 1_000_000, null, 60_000],
  ['is what somebody named, though longer', 1, 120_000, 120_000],
  ['is what somebody named, though shorter', 7, 5_000, 5_000],
  ['is no less than the first, whatever is named', 7, 0, 1_000],
  ['is a day at most, whatever is named', 1, 9e9, 86_400_000],
])('the wait after failures %s', (...[, failures, afterMs, ms]) => {
  expect(waitMs(backoff, failures, { random: 1, afterMs })).toBe(ms);
});

test('the wait after failures is half as long at least', () => {
  expect(waitMs(backoff, 1, { random: 0, afterMs: null })).toBe(500);
});
