import { expect, test } from 'vitest';
import { textTable, textWidth } from '../../../../src/platform/terminal/text-table.ts';

const header = ['id', 'name', 'state', 'why'];
const row = ['c_066adc3b9d', 'Моят магазин за чаши и чинии', 'review', 'a very long reason that nobody can read on one line'];
const widest = (lines: readonly string[]) => Math.max(...lines.map(textWidth));

test('without a width all of a table is written', () => {
  expect(textTable(header, [row, [null, '', 'ok', null]])).toEqual([
    'id            name                          state   why',
    'c_066adc3b9d  Моят магазин за чаши и чинии  review  a very long reason that nobody can read on one line',
    '-             -                             ok      -',
  ]);
});

test('columns are given up in their order, and only as many as it takes', () => {
  const fit = { give: ['id', 'why'], keep: ['state'] };

  expect(textTable(header, [row], { ...fit, width: 80 })[0]).toMatch(/^id +name +state +why$/);
  expect(textTable(header, [row], { ...fit, width: 60 })[0]).toMatch(/^name +state +why$/);
  expect(textTable(header, [row], { ...fit, width: 40 })[0]).toMatch(/^name +state$/);
});

test.each([80, 60, 40, 33])('no line is wider than %i columns, and what is cut ends in an ellipsis', (width) => {
  const lines = textTable(header, [row], { width, keep: ['state'] });

  expect(widest(lines)).toBeLessThanOrEqual(width);
  expect(lines[1]).toContain('…');
  expect(lines[1]).toContain('review');
});

test('emoji and Chinese characters take two columns, Cyrillic letters one', () => {
  const lines = textTable(
    ['name', 'n'],
    [
      ['чаша', '1'],
      ['🎁', '2'],
      ['杯子', '3'],
      ['👍🏽', '4'],
    ],
  );

  expect(lines.slice(1)).toEqual(['чаша  1', '🎁    2', '杯子  3', '👍🏽    4']);
  expect(textTable(['name', 'n'], [['🎁🎁🎁🎁🎁🎁', '2']], { width: 10 })[1]).toBe('🎁🎁🎁…  2');
});

test('a column that is read whole goes on below', () => {
  expect(
    textTable(['', 'finding'], [['WRONG', 'the database does not answer; `orderbridge doctor` says why']], { width: 40, wrap: 'finding', keep: [''] }),
  ).toEqual(['       finding', 'WRONG  the database does not answer;', '       `orderbridge doctor` says why']);
});
