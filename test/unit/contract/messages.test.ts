import { expect, expectTypeOf, test } from 'vitest';
import { messages } from '../../../src/contract/messages.ts';

const both = messages({
  title: { en: 'Orders', bg: 'Поръчки' },
  list: { count: { en: (n: number): string => `${n} in all`, bg: (n: number) => `общо ${n}` }, keys: { en: ['a', 'b'], bg: ['а', 'б'] } },
});

test('each language has the whole tree', () => {
  expect(both.en.title).toBe('Orders');
  expect(both.bg.title).toBe('Поръчки');
  expect(both.en.list.count(2)).toBe('2 in all');
  expect(both.bg.list.count(2)).toBe('общо 2');
  expect(both.bg.list.keys).toEqual(['а', 'б']);
  expectTypeOf(both.en).toEqualTypeOf<(typeof both)['bg']>();
  expectTypeOf(both.en.list.count).toEqualTypeOf<(n: number) => string>();
});

test('a tree of trees is one', () => {
  const all = messages({ lang: { en: 'en', bg: 'bg' }, both });
  expect(all.bg.both).toEqual(both.bg);
});

test('what lacks a language, or takes something else in Bulgarian, does not compile', () => {
  // @ts-expect-error: no Bulgarian
  expect(() => messages({ list: { title: { en: 'Orders' } } })).toThrow();
  // @ts-expect-error: in neither language
  expect(() => messages({ title: 'Orders' })).toThrow();
  // @ts-expect-error: another parameter
  expect(messages({ count: { en: (n: number): string => `${n}`, bg: (words: string) => words } })).toBeDefined();
});
