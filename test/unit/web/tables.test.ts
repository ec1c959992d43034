import { describe, expect, test } from 'vitest';
import { wordsIn } from '../../../src/console/messages/messages.ts';
import { type Columns, listPaging, placesOf, rowsBefore, sortedBy, table, tablePaging } from '../../../src/web/tables.ts';

type Row = { name: string; orders: number };
const rows: readonly Row[] = [
  { name: 'б', orders: 9 },
  { name: '<a>', orders: 10 },
];
const columns: Columns<Row> = [
  { name: 'Store', cell: ({ name }) => name, by: ({ name }) => name },
  { name: 'Orders', n: true, cell: ({ orders }) => orders, by: ({ orders }) => orders },
  { name: 'Why', cell: () => '' },
];
const ordersOf = (sort: unknown) =>
  [...table({ caption: 'Stores', columns, rows, sort: sortedBy(sort, '/stores') }).markup.matchAll(/<td class="n"[^>]*>(\d+)/g)].map(([, n]) => n);

test('each column has its heading and its cells', () => {
  const { markup } = table({ caption: 'Stores', columns, rows, mark: ({ orders }) => (orders > 9 ? 'many' : null), sums: [['', 19]] });

  expect(markup).toContain('<caption class="unseen">Stores</caption>');
  expect(markup).toContain('<th scope="col">Store</th><th scope="col" class="n">Orders</th><th scope="col">Why</th>');
  expect(markup).toContain('<tr class="many"><td data-label="Store">&lt;a&gt;</td><td class="n" data-label="Orders">10</td><td data-label="Why"></td></tr>');
  expect(markup).toContain('<tr><td data-label="Store"></td><td class="n" data-label="Orders">19</td>');
});

describe('a table is sorted', () => {
  test.each([
    ['1', ['9', '10']],
    ['-1', ['10', '9']],
    ['0', ['10', '9']],
    ['-0', ['9', '10']],
    ['2', ['9', '10']],
    ['7', ['9', '10']],
    ['x', ['9', '10']],
    [undefined, ['9', '10']],
  ])('by %s', (sort, expected) => {
    expect(ordersOf(sort)).toEqual(expected);
  });

  test('and says by what, with the way to turn it round', () => {
    const { markup } = table({ caption: 'Stores', columns, rows, sort: sortedBy('1', '/stores') });

    expect(markup).toContain('<th scope="col"><a href="/stores?sort=0">Store</a></th>');
    expect(markup).toContain('<th scope="col" class="n" aria-sort="ascending"><a href="/stores?sort=-1">Orders</a></th>');
    expect(markup).toContain('<th scope="col">Why</th>');
  });
});

test('what an address has beside the order stays in it', () => {
  expect(sortedBy('6', '/orders?state=review&q=%23a+b').to('-6')).toBe('/orders?state=review&q=%23a+b&sort=-6');
});

test('rows that come sorted have a heading to turn them round, and stay as they come', () => {
  const sorts: Columns<Row> = [{ name: 'Orders', n: true, cell: ({ orders }) => orders, sorts: true }];
  const { markup } = table({ caption: 'Stores', columns: sorts, rows, opens: true, sort: sortedBy('-0', '/stores') });

  expect(markup).toContain('<table class="list opens">');
  expect(markup).toContain('aria-sort="descending"><a href="/stores?sort=0">Orders</a>');
  expect(markup.indexOf('>9<')).toBeLessThan(markup.indexOf('>10<'));
});

describe('there are ways to the pages that there are', () => {
  const to = (place: Readonly<Record<string, string>>) => `/a?${new URLSearchParams(place)}`;
  const ways = (marks: { next: string | null; previous: string | null }, rows: { before: number; shown: number }, count = 312) =>
    listPaging({ ...placesOf(marks, rows), at: { ...rows, count, most: 10_000 }, to }, wordsIn('en')).markup;

  test('with which of the rows these are', () => {
    const { markup } = listPaging({ ...placesOf({ previous: 'x', next: 'y' }, { before: 50, shown: 50 }), at: null, to }, wordsIn('bg'));

    expect(ways({ next: 'y', previous: null }, { before: 0, shown: 50 })).toBe(
      '<a class="verb second" rel="next" href="/a?after=y&amp;n=50">Next page</a><span class="soft">1–50 of 312</span>',
    );
    expect(ways({ next: 'z', previous: 'x' }, { before: 50, shown: 50 })).toContain('rel="prev" href="/a?before=x&amp;n=0">Previous page</a>');
    expect(ways({ next: null, previous: 'x' }, { before: 300, shown: 12 })).toContain('rel="first" href="/a?">First page</a>');
    expect(ways({ next: null, previous: 'x' }, { before: 300, shown: 12 })).toContain('301–312 of 312');
    expect(ways({ next: null, previous: 'x' }, { before: 20, shown: 0 })).not.toContain('of 312');
    expect(ways({ next: 'y', previous: null }, { before: 0, shown: 50 }, 10_001)).toContain('1–50 of more than 10,000');
    expect(ways({ next: null, previous: null }, { before: 0, shown: 3 })).toBe('');
    expect(markup).not.toContain('от');
  });

  test.each([
    ['50', 50],
    ['-1', 0],
    ['12345678', 0],
    ['', 0],
  ])('and what an address says of rows is only a number: %s', (text, rows) => {
    expect(rowsBefore(text)).toBe(rows);
  });
});

test('a table that has all its rows shows a page of them, sorted before, and leads to the others; a short one leads nowhere', () => {
  const many = Array.from({ length: 120 }, (_, n) => ({ name: `Store ${n}`, orders: 120 - n }));
  const page = (from: number) => {
    const { markup } = table({ caption: 'Stores', columns, rows: many, sort: sortedBy('1', '/stores'), from });
    const shown = [...markup.matchAll(/<td class="n"[^>]*>(\d+)/g)].map(([, n]) => Number(n));
    return [shown.length, shown[0], shown.at(-1)];
  };
  const ways = (from: number, count: number) =>
    tablePaging({ from, count, to: (place) => `/stores?${new URLSearchParams(place)}` }, wordsIn('en')).markup.replace(/<[^>]*href="([^"]*)"[^>]*>/g, '[$1]');

  expect([page(0), page(50), page(100), page(999)]).toEqual([
    [50, 1, 50],
    [50, 51, 100],
    [20, 101, 120],
    [0, undefined, undefined],
  ]);
  expect(ways(0, 120)).toContain('[/stores?n=50]Next page</a><span class="soft">1–50 of 120');
  expect(ways(100, 120)).toContain('[/stores?]First page</a>[/stores?n=50]Previous page</a><span class="soft">101–120 of 120');
  expect(ways(0, 50)).toBe('');
  expect(ways(999, 120)).toMatch(/First page<\/a>\S* ?Previous page<\/a>/);
  expect(ways(999, 120)).not.toContain('of 120');
});
