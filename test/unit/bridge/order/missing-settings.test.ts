import { expect, test } from 'vitest';
import { paymentOf } from '../../../../src/bridge/order/decisions/desired.ts';
import { missingSettings } from '../../../../src/bridge/order/facts/failure.ts';

test.each([
  ['payment.unmapped', 'The payment method “borica_pos” has no type.', [{ of: 'payment', gateway: 'borica_pos' }]],
  [
    'vat.unmapped',
    'The VAT rate 9 % has no group. The VAT rate 25.5 % has no group.',
    [
      { of: 'vat', rate: '9' },
      { of: 'vat', rate: '25.5' },
    ],
  ],
  ['vat.unmapped', 'the VAT rate 0 % has no group.', [{ of: 'contained-vat' }]],
  [
    'payment.unmapped',
    'The payment method “<b>” has no type. The VAT rate 13 % has no group.',
    [
      { of: 'payment', gateway: '<b>' },
      { of: 'vat', rate: '13' },
    ],
  ],
  ['payment.unmapped', 'The order names no payment method.', []],
  ['gift-card.undecided', '', [{ of: 'gift-cards' }]],
  ['total.mismatch', 'The payment method “x” has no type.', []],
])('%s: %s', (code, words, asked) => {
  expect(missingSettings(code, words)).toEqual(asked);
});

test('the words are those that the problem has', () => {
  const payment = paymentOf(['cod'], {}, false);

  expect(payment.kind === 'problem' && missingSettings(payment.problem.code, payment.problem.detail)).toEqual([{ of: 'payment', gateway: 'cod' }]);
});
