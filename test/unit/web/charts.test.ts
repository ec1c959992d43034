import { expect, test } from 'vitest';
import { chart, strip } from '../../../src/web/charts.ts';

type Row = { at: string; n: number | null; was: number };
const rows: Row[] = [
  { at: '10:00', n: 4, was: 8 },
  { at: '11:00', n: 0, was: 2 },
  { at: '12:00', n: null, was: 0 },
];
const words = { table: 'All numbers', most: 'most:', none: '–' };
const said = (n: number) => `${n} pcs`;
const drawn = (series: Parameters<typeof chart<Row>>[0]['series'], of = rows) =>
  chart({ title: 'Orders', about: 'By the hour.', rows: of, at: 'Hour', name: ({ at }) => at, series, words }).markup;
const own = { name: 'Now', of: ({ n }: Row) => n, said };

test('bars say what they show, each bar its number, and a table all of them', () => {
  const markup = drawn([{ ...own, behind: { name: 'Before', of: ({ was }) => was } }]);

  expect(markup).toContain('role="img" aria-label="Now. By the hour. most: 8 pcs."');
  expect(markup).toContain('viewBox="0 0 30 40"');
  expect(markup).toContain('<title>10:00: 4 pcs (Before: 8 pcs)</title>');
  expect(markup).toContain('<rect class="n" x="2" y="20" width="6" height="20"></rect>');
  expect(markup).toContain('<rect class="behind" x="0.5" y="0" width="9" height="40"></rect>');
  expect(markup).toMatch(/<td data-label="Hour">12:00<\/td><td class="n" data-label="Now">–<\/td><td class="n" data-label="Before">0 pcs<\/td>/);
  expect(markup).toContain('<p class="ends"><span>10:00</span><span>12:00</span></p>');
});

test('where nothing is there is no bar, and a gap is marked', () => {
  expect(drawn([own]).match(/class="n" x/g)).toHaveLength(1);
  expect(drawn([{ ...own, isGap: ({ n }) => n === 0 }])).toContain('<rect class="gap" x="11" y="34" width="8" height="6"></rect>');
});

test('of several series each has its name, and one may have a colour', () => {
  const markup = drawn([own, { ...own, name: 'Refused', tone: 'failing' }]);

  expect(markup).toContain('<p>Now <span');
  expect(markup).toContain('<p>Refused <span');
  expect(markup).toContain('<svg class="failing" role="img"');
});

test('what is little beside much is still seen, and without rows nothing breaks', () => {
  expect(
    drawn(
      [own],
      [
        { at: 'a', n: 1, was: 0 },
        { at: 'b', n: 10_000, was: 0 },
      ],
    ),
  ).toContain('y="38.5" width="6" height="1.5"');
  expect(drawn([own], [])).toContain('viewBox="0 0 0 40"');
});

test('names are escaped', () => {
  const markup = drawn([{ ...own, name: '<b>"' }], [{ at: '<i>', n: 1, was: 0 }]);

  expect(markup).not.toMatch(/<[bi]>/);
});

test('a strip has all bars in one path, its numbers as its name, and marks where nothing is', () => {
  const { markup } = strip('Webhooks: 4, 0, 2', [4, 0, 2], 'silence');

  expect(markup).toBe(
    '<svg class="strip silence" role="img" width="27" height="24" viewBox="0 0 30 24" preserveAspectRatio="none"><title>Webhooks: 4, 0, 2</title><path class="n" d="M1 24v-24h8V24zM21 24v-12h8V24z"/><path class="gap" d="M11 24v-2h8V24z"/></svg>',
  );
  expect(strip('None', [0, 0]).markup).toContain('<path class="n" d=""/>');
});
