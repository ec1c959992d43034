import { expect, test } from 'vitest';
import { jobKinds } from '../../../src/operations/job-kinds.ts';

const runs = { sync: async () => [], mail: async () => [] };

test('a store whose reading failed again and again is read again after a period, however short', () => {
  const mostMs = (reconcileSeconds: number) =>
    jobKinds({ sweepSeconds: 5, reconcileSeconds, retryScale: 1 }, runs).map(({ kind, backoff }) => [kind, backoff.mostMs] as const);

  expect(mostMs(10)).toEqual([
    ['sync', 10_000],
    ['mail', 12 * 3_600_000],
  ]);
  expect(mostMs(3_600)[0]).toEqual(['sync', 900_000]);
});
