import { expect, test } from 'vitest';
import { counted, form, orderCount } from '../../../src/contract/plural.ts';

test.each([
  [0, '0 orders', '0 поръчки', 'are'],
  [1, '1 order', '1 поръчка', 'is'],
  [2, '2 orders', '2 поръчки', 'are'],
  [21, '21 orders', '21 поръчки', 'are'],
  [101, '101 orders', '101 поръчки', 'are'],
])('%i goes with the form of its language', (n, en, bg, are) => {
  expect(orderCount.en(n)).toBe(en);
  expect(orderCount.bg(n)).toBe(bg);
  expect(form.en(n, 'is', 'are')).toBe(are);
  expect(counted.bg(n, 'ден', 'дни')).toBe(`${n} ${are === 'is' ? 'ден' : 'дни'}`);
});
