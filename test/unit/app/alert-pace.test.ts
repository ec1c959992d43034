import { expect, test } from 'vitest';
import { alertPace } from '../../../src/app/alerter.ts';

test('a server that seldom sweeps looks often enough to see that a trouble lasts, to keep its lease, and for a heartbeat each minute', () => {
  expect(alertPace(5)).toEqual({ sendMs: 5_000, roundMs: 30_000 });
  expect(alertPace(1)).toEqual({ sendMs: 1_000, roundMs: 6_000 });
  for (const sweepSeconds of [60, 3_600]) expect(alertPace(sweepSeconds)).toEqual({ sendMs: 30_000, roundMs: 30_000 });
});
