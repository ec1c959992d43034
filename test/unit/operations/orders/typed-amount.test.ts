import { expect, test } from 'vitest';
import { typedAmount } from '../../../../src/operations/orders/orders-wanted.ts';

test.each([
  ['36.00', '36.00'],
  ['36,00', '36.00'],
  ['36,00 EUR', '36.00'],
  ['€36', '36'],
  ['EUR 36.5', '36.5'],
  ['1 234,50 лв.', '1234.50'],
  ['1\u00a0234,50', '1234.50'],
  ['1.234,50', '1234.50'],
  ['1,234.50', '1234.50'],
  ['1042', '1042'],
  ['BG-1042', null],
  ['#1042', null],
  ['', null],
  ['36.00.00', null],
  ['-36.00', null],
  ["1' or '1'='1", null],
])('%j is %j', (typed, amount) => {
  expect(typedAmount(typed)).toBe(amount);
});
