import { describe, expect, test } from 'vitest';
import { lineUp, turn } from '../../../bench/line-up.ts';
import { names, settled } from '../../../bench/names.ts';

const ended = (options: Partial<Parameters<typeof lineUp>[0]>) =>
  lineUp({ root: '/here', against: null, settle: 'both', ...options }).endToEnd.map((group) =>
    group.map(({ contestant, pacedBy }) => [contestant.name, contestant.quietSeconds, pacedBy]),
  );

describe('end to end', () => {
  test('a layout with the quiet time follows the same one without it, and at its pace', () => {
    expect(ended({})).toEqual([
      [[names.plain, 0, null]],
      [[names.kept, 0, null]],
      [
        [names.split, 0, null],
        [settled(names.split), 5, names.split],
      ],
      [
        [names.all, 0, null],
        [settled(names.all), 5, names.all],
      ],
      [[names.keptSplit, 0, null]],
      [[names.plainSplit, 0, null]],
    ]);
  });

  test('without the quiet time nobody is paced', () => {
    expect(ended({ settle: '0' }).flat()).toEqual(
      [names.plain, names.kept, names.split, names.all, names.keptSplit, names.plainSplit].map((name) => [name, 0, null]),
    );
  });

  test('with the quiet time alone the plain service sets the pace, and is the first to run', () => {
    expect(ended({ settle: '5' }).flat()).toEqual([
      [names.plain, 0, null],
      [names.kept, 0, null],
      [settled(names.split), 5, names.plain],
      [settled(names.all), 5, names.plain],
      [names.keptSplit, 0, null],
      [names.plainSplit, 0, null],
    ]);
  });

  test('another checkout runs next to this one in both layouts', () => {
    const all = ended({ against: '/there', settle: '0' }).flat();

    expect(all.map(([name]) => name)).toEqual([
      names.plain,
      names.kept,
      names.split,
      names.otherSplit,
      names.all,
      names.otherAll,
      names.keptSplit,
      names.plainSplit,
    ]);
  });
});

test('another checkout takes webhooks and answers at a steady rate, too', () => {
  const { accept, steady } = lineUp({ root: '/here', against: '/there', settle: 'both' });

  expect(accept.map(({ name }) => name)).toEqual([names.floor, names.plain, names.kept, names.split, names.otherSplit]);
  expect(steady.map(({ name }) => name)).toEqual([
    names.plain,
    names.kept,
    names.split,
    names.otherSplit,
    names.all,
    names.otherAll,
    names.keptSplit,
    names.plainSplit,
  ]);
});

test('every other round is in reverse', () => {
  expect([0, 1, 2].map((round) => turn(round, ['a', 'b', 'c']).join(''))).toEqual(['abc', 'cba', 'abc']);
});
