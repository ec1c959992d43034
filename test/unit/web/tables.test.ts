import { describe, expect, test } from 'vitest';
import { type Columns, paging, sortedBy, table } from '../../../src/web/tables.ts';

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

test('there are ways to the pages that there are', () => {
  const words = { first: 'Newest', prev: 'Newer', next: 'Further' };

  expect(paging({ prev: '/a', next: null }, words).markup).toBe('<a class="verb second" rel="prev" href="/a">Newer</a>');
  expect(paging({ first: '/a', next: '/b' }, words).markup).toContain('rel="first" href="/a">Newest</a><a class="verb second" rel="next" href="/b">Further');
  expect(paging({}, words).markup).toBe('');
});
