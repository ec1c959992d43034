import { describe, expect, test } from 'vitest';
import { amountText, dayText, numberText, sumText } from '../../../../src/contract/local-text.ts';
import { counted } from '../../../../src/contract/plural.ts';
import { ordersInWords } from '../../../../src/service/audit/summary/outstanding-words.ts';

const spaced = (text: string) => text.replaceAll('\u00a0', ' ');

describe('an amount in Bulgarian', () => {
  test.each([
    ['0', '0,00'],
    ['12.5', '12,50'],
    ['999.99', '999,99'],
    ['1234.56', '1234,56'],
    ['1234567.00', '1 234 567,00'],
    ['-1234.50', '−1234,50'],
    ['123456789012345678.90', '123 456 789 012 345 678,90'],
  ])('%s is written %s', (amount, written) => {
    expect(spaced(amountText(amount))).toBe(written);
  });

  test('does not break at the end of a line', () => {
    expect(sumText('1234.50', 'EUR', 'bg')).not.toContain(' ');
  });

  test.each([
    ['EUR', '10,00 €'],
    ['BGN', '10,00 лв.'],
    ['USD', '10,00 USD'],
  ])('bears the sign of %s', (currency, written) => {
    expect(spaced(sumText('10', currency, 'bg'))).toBe(written);
  });

  test('must be a number', () => {
    expect(() => amountText('12,50')).toThrow(RangeError);
  });
});

test('a rate keeps all its decimals', () => {
  expect(numberText('1.1761')).toBe('1,1761');
});

test('a day is written with points', () => {
  expect(spaced(dayText('2026-10-31'))).toBe('31.10.2026 г.');
});

test('only one is singular; twenty-one is not', () => {
  expect([0, 1, 2, 21, 1000].map((count) => spaced(counted.bg(count, 'поръчка', 'поръчки')))).toEqual([
    '0 поръчки',
    '1 поръчка',
    '2 поръчки',
    '21 поръчки',
    '1000 поръчки',
  ]);
});

test('one order has no sum in all', () => {
  expect(spaced(ordersInWords({ orders: 1, total: '5.00' }, 'EUR'))).toBe('1 поръчка на стойност 5,00 €');
  expect(spaced(ordersInWords({ orders: 2, total: '5.00' }, 'BGN'))).toBe('2 поръчки на обща стойност 5,00 лв.');
});
