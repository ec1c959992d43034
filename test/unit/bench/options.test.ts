import { describe, expect, test } from 'vitest';
import { QUIET_SECONDS } from '../../../bench/names.ts';
import { readOptions } from '../../../bench/options.ts';
import { environment } from '../../../src/config/environment.ts';

const read = (...args: string[]) => {
  const options = readOptions(args);
  if (options === null) throw new Error('the help was printed');
  return options;
};

describe('without options', () => {
  test('six rounds of 6,000 orders, with and without the quiet time, everysec', () => {
    expect(read()).toMatchObject({ rounds: 6, orders: 6_000, settle: 'both', appendFsync: 'everysec', against: null, quick: false });
  });

  test('every part is measured', () => {
    expect(read().parts).toEqual(['accept', 'e2e', 'steady', 'traces', 'backlog', 'startup']);
  });
});

test('a quick run is one short round', () => {
  const quick = read('--quick');

  expect(quick).toMatchObject({ rounds: 1, orders: 1_500, settle: 'both' });
  // Longer than the quiet time, or nothing would be recorded while webhooks arrive.
  expect(quick.settledSeconds).toBeGreaterThan(QUIET_SECONDS);
  expect(quick.settledSeconds).toBeLessThan(read().settledSeconds);
});

test('a number that is given counts before that of a quick run', () => {
  expect(read('--quick', '--orders', '2000', '--rounds', '2')).toMatchObject({ orders: 2_000, rounds: 2, accept: 1_500 });
});

test('one part alone is measured', () => {
  expect(read('--only', 'steady').parts).toEqual(['steady']);
});

test('a backlog of 0 is left out', () => {
  expect(read('--backlog', '0').parts).toEqual(['accept', 'e2e', 'steady', 'traces', 'startup']);
});

test.each([
  [['--only', 'lunch'], '--only is one of accept, e2e, steady, traces, backlog, startup'],
  [['--settle', '7'], '--settle is one of 0, 5, both'],
  [['--appendfsync', 'no'], '--appendfsync is one of everysec, always'],
  [['--rounds', '0'], '--rounds is a whole number above zero'],
  [['--orders', '6k'], '--orders is a whole number'],
])('%j is refused in words', (args, words) => {
  expect(() => readOptions(args)).toThrow(words);
});

test('the quiet time that is measured is the default of the program', () => {
  expect(environment.shape.QUIET_SECONDS.parse(undefined)).toBe(QUIET_SECONDS);
});
