import { describe, expect, test } from 'vitest';
import { type AttemptEnd, leasedUntil, nextAttemptMs, soonest } from '../../../../src/bridge/order/decisions/transition.ts';

const NOW = Date.parse('2026-11-20T10:30:00Z');
const again: AttemptEnd = { kind: 'again', ms: 60_000, why: 'no answer' };
const rest: AttemptEnd = { kind: 'rest', state: 'recorded', detail: '', recordedMs: null };

describe('an order that another worker has', () => {
  test.each([
    [-5_000, 100],
    [50, 100],
    [700, 700],
    [60_000, 2_000],
  ])('for %d ms more is processed again after %d ms', (leaseMs, ms) => {
    expect(leasedUntil(NOW + leaseMs, NOW)).toEqual({ kind: 'again', ms, why: 'another worker is working on it' });
  });
});

describe('facts that came during an attempt', () => {
  test.each<[string, Parameters<typeof soonest>[1], number]>([
    ['do not wait out the backoff of older ones', { newer: true, dueAt: NOW + 300 }, 300],
    ['are looked at at once if they should have been by now', { newer: true, dueAt: NOW - 300 }, 0],
    ['wait as long as the order would have anyway', { newer: true, dueAt: NOW + 90_000 }, 60_000],
    ['that are not there change nothing', { newer: false, dueAt: NOW + 300 }, 60_000],
    ['that nothing depends on change nothing', { newer: true, dueAt: null }, 60_000],
  ])('%s', (_what, written, ms) => {
    expect(soonest(again, written, NOW)).toEqual({ ...again, ms });
  });

  test('bring nothing back to an order that rests: they have notified it themselves', () => {
    expect(soonest(rest, { newer: true, dueAt: NOW }, NOW)).toEqual(rest);
  });
});

describe('after an attempt', () => {
  test.each<[string, Parameters<typeof nextAttemptMs>[0], number | null]>([
    ['to be repeated, the next follows in its time', again, 60_000],
    ['after which a receipt is due, one requests it at once', { ...rest, receipt: 'due' }, 0],
    ['after which the receipt is there, none follows', { ...rest, receipt: 'got' }, null],
    ['after which an order rests, none follows', rest, null],
    ['to a paused destination, the sweeper makes the next', { kind: 'paused', why: '429' }, null],
    ['whose order goes to the store call queue, that one makes the next', { kind: 'fetch', host: 'store.example' }, null],
    ['to no order, none follows', { kind: 'missing' }, null],
  ])('%s', (_what, end, ms) => {
    expect(nextAttemptMs(end)).toBe(ms);
  });
});
