import { expect, test } from 'vitest';
import { rateLimit } from '../../../src/platform/rate-limit.ts';

test('writes a few a minute, and then how many were left out', () => {
  const clock = { now: 0 };
  const written: [string, number][] = [];
  const write = rateLimit<string>((what, leftOut) => written.push([what, leftOut]), { most: 2, now: () => clock.now });

  for (const what of ['a', 'b', 'c', 'd', 'e']) write(what);
  clock.now = 60_000;
  write('f');
  write('g');

  expect(written).toEqual([
    ['a', 0],
    ['b', 0],
    ['f', 3],
    ['g', 0],
  ]);
});
