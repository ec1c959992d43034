import { describe, expect, test } from 'vitest';
import { readOptions } from '../../../bench/growth/options.ts';
import { median, ratioTo } from '../../../bench/growth/ratios.ts';

describe('the options of bench:growth', () => {
  test('are three ledgers, and a backlog, unless it is said', () => {
    expect(readOptions([])).toEqual({ histories: [100_000, 1_000_000, 3_000_000], count: 6_000, rounds: 5, backlog: 100_000, json: null });
    expect(readOptions(['--orders', '5,70', '--backlog', '0', '--json', 'out.json'])).toMatchObject({ histories: [5, 70], backlog: 0, json: 'out.json' });
  });

  test.each([[['--orders', '70,5']], [['--orders', '5,5']], [['--orders', 'many']], [['--count', '0']], [['--rounds', '1.5']]])('%j is refused', (given) => {
    expect(() => readOptions(given)).toThrow(/^--/);
  });
});

test('the middle of an even number of values is the mean of two', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(() => median([])).toThrow('there is no middle');
});

test('a ratio is within its round: one slow round is no ratio of its own', () => {
  expect(ratioTo([100, 50, 200], [90, 45, 190])).toEqual({ median: 0.9, min: 0.9, max: 0.95 });
});
