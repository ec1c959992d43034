import { expect, test } from 'vitest';
import { TokenBuckets } from '../../../src/platform/rate-limit.ts';

test('a burst is taken, then as many a second as the rate says; another key has its own', () => {
  let now = 0;
  const buckets = new TokenBuckets({ burst: 2, now: () => now });
  const take = (key = 'a') => buckets.take(key, 4);

  expect([take(), take(), take(), take('b')]).toEqual([0, 0, 250, 0]);
  now = 100;
  expect(take()).toBe(150);
  now = 250;
  expect([take(), take()]).toEqual([0, 250]);
  now = 60_000;
  expect([take(), take(), take()]).toEqual([0, 0, 250]);
});

test('a clock that goes back takes nothing away', () => {
  let now = 1_000;
  const buckets = new TokenBuckets({ burst: 1, now: () => now });
  buckets.take('a', 1);
  now = 0;
  expect(buckets.take('a', 1)).toBe(1_000);
});

test('ten thousand keys are known; the one that was not used for the longest time is forgotten first', () => {
  const buckets = new TokenBuckets({ burst: 1, now: () => 0 });
  for (let key = 0; key <= 10_000; key += 1) buckets.take(`${key}`, 1);

  expect([buckets.take('10000', 1), buckets.take('0', 1)]).toEqual([1_000, 0]);
});
