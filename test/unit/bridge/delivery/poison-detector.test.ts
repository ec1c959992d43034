import { describe, expect, test } from 'vitest';
import { createPoisonDetector } from '../../../../src/bridge/delivery/deliveries-worker.ts';

const MINUTE = 60_000;

function detectorAt() {
  const clock = { ms: 0 };
  const poisonDetector = createPoisonDetector(() => clock.ms);
  /** Fails `times` times, a minute apart; `others`: one of another is recorded in between. */
  const fails = (id: string, times: number, { others }: { others: boolean }): boolean[] =>
    Array.from({ length: times }, () => {
      clock.ms += MINUTE;
      if (others) poisonDetector.recorded([`another than ${id}`]);
      return poisonDetector.failed(id);
    });
  return { clock, poisonDetector, fails };
}

describe('a delivery that fails', () => {
  test('is to blame after an hour in which others were recorded', () => {
    const { fails } = detectorAt();
    expect(fails('bad', 61, { others: true })).toEqual([...Array(60).fill(false), true]);
  });

  test('is not to blame for an outage, however long it is', () => {
    const { fails } = detectorAt();
    expect(fails('bad', 10_000, { others: false })).not.toContain(true);
  });

  test('is to blame for the time without an outage alone', () => {
    const { fails } = detectorAt();
    expect([...fails('bad', 31, { others: true }), ...fails('bad', 500, { others: false })]).not.toContain(true);
    expect(fails('bad', 30, { others: true })).toEqual([...Array(29).fill(false), true]);
  });

  test('is no longer known once it was recorded', () => {
    const { poisonDetector, fails } = detectorAt();
    fails('bad', 60, { others: true });
    poisonDetector.recorded(['bad']);
    expect(fails('bad', 60, { others: true })).not.toContain(true);
  });

  test('is not to blame for the hours in which the process was stopped', () => {
    const { clock, poisonDetector, fails } = detectorAt();
    fails('bad', 1, { others: true });
    clock.ms += 24 * 60 * MINUTE;
    expect(fails('bad', 1, { others: true })).toEqual([false]);
    expect(poisonDetector.failed('bad')).toBe(false);
  });

  test('is forgotten first if there are too many to know', () => {
    const { poisonDetector, fails } = detectorAt();
    fails('bad', 60, { others: true });
    for (let n = 0; n < 10_000; n += 1) poisonDetector.failed(`other ${n}`);
    expect(fails('bad', 60, { others: true })).not.toContain(true);
  });
});
