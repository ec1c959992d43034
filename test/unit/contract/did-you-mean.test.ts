import { expect, test } from 'vitest';
import { didYouMean, nearest } from '../../../src/contract/did-you-mean.ts';

test.each([
  ['recordFrm', ['recordFrom', 'receipts'], 'recordFrom'],
  ['payment.unmap', ['payment.split', 'payment.unmapped', 'vat.unmapped'], 'payment.unmapped'],
  ['POSTAL', ['PAYMENT_PROCESSOR', 'POSTAL_PAYMENT', 'OTHER'], 'POSTAL_PAYMENT'],
  ['ignroe', ['record', 'ignore'], 'ignore'],
  ['group_d', ['GROUP_A', 'GROUP_D'], 'GROUP_D'],
  ['zebra', ['recordFrom', 'receipts'], null],
  ['', ['a'], null],
  ['x'.repeat(70), ['y'.repeat(70)], null],
])('%s is probably one of %j', (word, candidates, meant) => {
  expect(nearest(word, candidates)).toBe(meant);
});

test('the guess ends a sentence', () => {
  expect(didYouMean('vatGroup', ['vatGroups'])).toBe('; did you mean vatGroups?');
  expect(didYouMean('barter', ['vatGroups'])).toBe('');
});
