import { expect, test } from 'vitest';
import { limitConcurrency, TooManyWait } from '../../../src/platform/limit-concurrency.ts';
import { until } from '../../support/worlds/settled.ts';

test('two run at once, others in the order in which they came, and what is too much is refused at once', async () => {
  const inTurn = limitConcurrency({ atOnce: 2, mostWaiting: 2 });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const start = (i: number) =>
    inTurn(async () => {
      begun.push(i);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (i === 0) throw new Error('it failed');
      return i;
    });
  const all = [0, 1, 2, 3].map(start);
  const failed = expect(all[0]).rejects.toThrow('it failed');

  await expect(start(4)).rejects.toThrow(TooManyWait);
  expect(begun).toEqual([0, 1]);
  ends[0]?.();
  await failed;
  expect(begun).toEqual([0, 1, 2]);
  for (const i of [1, 2, 3]) {
    ends[i]?.();
    expect(await all[i]).toBe(i);
  }
  // The places are free again.
  const next = start(5);
  await until(() => begun.includes(5), { what: 'the next to begin' });
  ends[4]?.();
  expect(await next).toBe(5);
});
