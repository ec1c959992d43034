import { describe, expect, test } from 'vitest';
import { behind, isPromoted, marksOf, nextIn } from '../../../../src/platform/postgres/database-place.ts';

const companies = (numbers: Record<string, number>) => new Map(Object.entries(numbers).map(([id, value]) => [`company:${id}`, value]));
const at = { epoch: 1, timeline: 3, beat: 100 };
const now = marksOf(at, companies({ '111': 50 }));

describe('what a database lacks of what is known', () => {
  test.each([
    { what: 'nothing, if it has as much', known: at, numbers: { '111': 50 }, lacks: [] },
    { what: 'nothing, if it has more', known: { ...at, beat: 90 }, numbers: { '111': 49 }, lacks: [] },
    { what: 'numbers', known: at, numbers: { '111': 51 }, lacks: ['company:111'] },
    { what: 'a company', known: at, numbers: { '111': 50, '222': 1 }, lacks: ['company:222'] },
    { what: 'time', known: { ...at, beat: 101 }, numbers: {}, lacks: ['beat@1'] },
    { what: 'a timeline, where an old server is used again', known: { ...at, timeline: 4 }, numbers: {}, lacks: ['timeline@1'] },
    { what: 'what a person said since', known: { epoch: 2, timeline: 1, beat: 5 }, numbers: {}, lacks: ['epoch'] },
    { what: 'nothing of what was before a person said so', known: { epoch: 0, timeline: 9, beat: 900 }, numbers: {}, lacks: [] },
  ])('$what', ({ known, numbers, lacks }) => {
    expect(behind(now, marksOf(known, companies(numbers)))).toEqual(lacks);
  });
});

test('a turn counts more than the number, which is lower when a skip was taken back', () => {
  const turned = companies({ '111': 1e11 + 40 });
  expect(behind(turned, companies({ '111': 50 }))).toEqual([]);
  expect(nextIn(turned, '111')).toBe(40);
  expect(nextIn(turned, '222')).toBeNull();
});

test.each([
  ['7/5/1', '7/5/2', true],
  ['7/5/9', '7/5/10', true],
  ['7/5/2', '7/5/1', false],
  ['7/5/1', '8/5/2', false],
  ['7/5/1', '7/6/2', false],
  ['', '7/5/2', false],
])('from %s to %s: a promoted replica? %s', (place, here, expected) => {
  expect(isPromoted({ place, here })).toBe(expected);
});
