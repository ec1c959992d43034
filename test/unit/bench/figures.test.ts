import { expect, test } from 'vitest';
import { median, pairRatios, range, short, spread } from '../../../bench/figures.ts';

const own = (round: number): number => round;

test('the median is the middle one, or between the two in the middle', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([9, 1, 5, 7])).toBe(6);
  expect(median([])).toBeNaN();
});

test('ratios are of the same round, never of medians', () => {
  const rounds = { ours: [10, 100, 30], theirs: [5, 400, 10] };

  const ratios = pairRatios(rounds, ['ours', own], ['theirs', own]);

  expect(ratios).toEqual([2, 0.25, 3]);
  // That of the medians would be 30 / 10.
  expect(median(ratios)).toBe(2);
});

test('two figures of different kind are compared, too', () => {
  const rounds = { ours: [{ postgres: 2, node: 9 }], theirs: [{ postgres: 0, node: 8 }] };

  expect(pairRatios(rounds, ['ours', ({ postgres }) => postgres], ['theirs', ({ node }) => node])).toEqual([0.25]);
});

test('what was not measured has no ratio', () => {
  expect(pairRatios({ ours: [1, 2] }, ['ours', own], ['theirs', own])).toEqual([]);
  expect(pairRatios({ theirs: [1, 2] }, ['ours', own], ['theirs', own])).toEqual([]);
  expect(pairRatios({ ours: [1, 2], theirs: [2] }, ['ours', own], ['theirs', own])).toEqual([0.5]);
});

test('a range has its least and its most', () => {
  expect(range([3, 1.23456, 2])).toBe('1.23–3');
  expect(spread([3, 1, 2])).toBe('2 (1–3)');
  expect(spread([2])).toBe('2');
  expect(short(12_345.6)).toBe(12_350);
});
