import { expect, test } from 'vitest';
import { counted, form, orderCount } from '../../../src/contract/plural.ts';

test.each([
  { n: 0, en: '0 orders', bg: '0 поръчки', are: 'are' },
  { n: 1, en: '1 order', bg: '1 поръчка', are: 'is' },
  { n: 2, en: '2 orders', bg: '2 поръчки', are: 'are' },
  { n: 21, en: '21 orders', bg: '21 поръчки', are: 'are' },
  { n: 101, en: '101 orders', bg: '101 поръчки', are: 'are' },
])('$n goes with the form of its language', ({ n, en, bg, are }) => {
  expect(orderCount.en(n)).toBe(en);
  expect(orderCount.bg(n)).toBe(bg);
  expect(form.en(n, 'is', 'are')).toBe(are);
  expect(counted.bg(n, 'ден', 'дни')).toBe(`${n} ${are === 'is' ? 'ден' : 'дни'}`);
});

test('a large number is grouped as its language does', () => {
  expect([orderCount.en(12345), orderCount.bg(12345)]).toEqual(['12,345 orders', '12\u00a0345 поръчки']);
});
