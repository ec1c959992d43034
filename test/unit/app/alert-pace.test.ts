import { expect, test } from 'vitest';
import { msOfRound } from '../../../src/app/alerter.ts';

test('a server that seldom sweeps looks often enough to see that a trouble lasts, to keep its lease, and for a heartbeat each minute', () => {
  expect(msOfRound(5)).toBe(30_000);
  expect(msOfRound(1)).toBe(6_000);
  for (const sweepSeconds of [60, 3_600]) expect(msOfRound(sweepSeconds)).toBe(30_000);
});
