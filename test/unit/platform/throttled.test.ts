import { expect, test } from 'vitest';
import { throttled } from '../../../src/platform/throttled.ts';

/** A reading that takes `costMs` of the clock, and ends when it is let go. */
function watched({ costMs = 0, everyMs = 15_000, timeoutMs = 10_000 } = {}) {
  const clock = { now: 0 };
  const open: (() => void)[] = [];
  let begun = 0;
  const read = async (): Promise<void> => {
    begun += 1;
    await new Promise<void>((resolve) => open.push(resolve));
    clock.now += costMs;
  };
  const refresh = throttled(read, { everyMs, timeoutMs, now: () => clock.now });
  return { clock, refresh, begun: () => begun, end: () => open.shift()?.() };
}

test('finding 9: 256 callers at once share one reading, and so do those of the next 15 s', async () => {
  const { clock, refresh, begun, end } = watched();
  const callers = Array.from({ length: 256 }, refresh);
  end();
  await Promise.all(callers);

  clock.now = 14_999;
  await refresh();
  const before = begun();
  clock.now = 15_000;
  void refresh();

  expect([before, begun()]).toEqual([1, 2]);
});

test('what costs more is read less often: never more than a hundredth of the time, and at least every ten minutes', async () => {
  const { clock, refresh, begun, end } = watched({ costMs: 2_000 });
  const first = refresh();
  end();
  await first;

  clock.now = 199_999;
  await refresh();
  expect(begun()).toBe(1);
  clock.now = 200_000;
  void refresh();
  expect(begun()).toBe(2);
});

test('nobody waits longer than the timeout', async () => {
  const { refresh, begun, end } = watched({ timeoutMs: 1 });

  await refresh();
  await refresh();

  expect(begun()).toBe(1);
  end();
});

test('a reading that fails is not an error, and is not repeated at once', async () => {
  let begun = 0;
  const refresh = throttled(
    () => {
      begun += 1;
      return Promise.reject(new Error('the database is down'));
    },
    { everyMs: 15_000, timeoutMs: 1_000, now: () => 0 },
  );

  await refresh();
  await refresh();

  expect(begun).toBe(1);
});

test('a reading that was given up because the machine was busy is repeated soon: what it read is shown then', async () => {
  const clock = { now: 0 };
  let begun = 0;
  const refresh = throttled(
    () => {
      begun += 1;
      clock.now += 1_500;
      return Promise.reject(new Error('no answer within 1500 ms'));
    },
    { everyMs: 15_000, timeoutMs: 1_000, now: () => clock.now },
  );

  await refresh();
  clock.now = 14_999;
  await refresh();
  expect(begun).toBe(1);
  clock.now = 15_000;
  await refresh();
  expect(begun).toBe(2);
});
