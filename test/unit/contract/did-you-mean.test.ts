import { describe, expect, test } from 'vitest';
import { didYouMean, nearest, nearestName } from '../../../src/contract/did-you-mean.ts';

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

describe('a name that may be somebody else’s', () => {
  const names = ['PUBLIC_URL', 'SMTP_URL', 'REDIS_URL', 'DATABASE_URL', 'recordFrom'];

  test.each([
    ['PUBIC_URL', 'PUBLIC_URL'],
    ['PUBLIC_ULR', 'PUBLIC_URL'],
    ['smtp_url', 'SMTP_URL'],
    ['REDIS_URI', 'REDIS_URL'],
    ['recordFrm', 'recordFrom'],
    ['recrodFrmo', 'recordFrom'],
  ])('%s is probably %s', (word, meant) => {
    expect(nearestName(word, names)).toBe(meant);
  });

  test.each(['HOME', 'SMTP_PORT', 'DATABASE', 'x', '', 'PUBLIC_ADDRESS'])('%j is none of ours', (word) => {
    expect(nearestName(word, names)).toBeNull();
  });

  test('of several is the nearest', () => {
    expect(nearestName('paymentTypes', ['payment', 'paymentTypos', 'paymentType'])).toBe('paymentTypos');
  });
});
