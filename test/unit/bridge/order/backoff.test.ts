import { expect, test } from 'vitest';
import { BACKOFF } from '../../../../src/bridge/order/decisions/transition.ts';
import { backoffMs } from '../../../../src/platform/backoff.ts';

test.each([
  [1, 500, 1_000],
  [2, 1_000, 2_000],
  [5, 8_000, 16_000],
  [11, 300_000, 600_000],
  [500, 300_000, 600_000],
])('after %d failures in a row the wait is %d to %d ms', (failures, least, most) => {
  expect([backoffMs(BACKOFF, failures, 0), backoffMs(BACKOFF, failures, 1)]).toEqual([least, most]);
});
