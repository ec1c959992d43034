import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { backoff } from '../../../../src/platform/queue/queue-system.ts';
import { UnreadableJob } from '../../../../src/platform/unreadable-job.ts';
import { wholeMs } from '../../../../src/platform/with-timeout.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('until a failed job is retried', () => {
  test.prop([fc.integer({ min: 1, max: 1_000_000 }), random])('it is a whole number of milliseconds up to half a minute', (failures, at) => {
    const ms = backoff(failures, new Error('broken'), at);
    expect(Number.isInteger(ms)).toBe(true);
    expect(ms).toBeGreaterThanOrEqual(500);
    expect(ms).toBeLessThanOrEqual(30_000);
  });

  test('it is half a second to a second at first', () => {
    expect([backoff(1, new Error('broken'), 0), backoff(1, new Error('broken'), 0.9), backoff(3, new Error('broken'), 0.999)]).toEqual([500, 950, 3_998]);
  });

  test('it is minutes, then an hour for a job that nobody can read', () => {
    const unreadable = new UnreadableJob('of an unknown version');
    expect([backoff(1, unreadable, 0.999), backoff(20, unreadable, 0.999)]).toEqual([119_940, 3_598_200]);
  });
});

test.prop([fc.double({ min: -1e9, max: 1e12, noNaN: true })])('a span for the queue has no fraction and is not below 0', (ms) => {
  const whole = wholeMs(ms);
  expect(Number.isInteger(whole)).toBe(true);
  expect(whole).toBeGreaterThanOrEqual(Math.max(0, ms));
  expect(whole - Math.max(0, ms)).toBeLessThanOrEqual(1);
});
