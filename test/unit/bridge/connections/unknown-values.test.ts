import { expect, test } from 'vitest';
import { unknownValues } from '../../../../src/bridge/connections/connection-settings.ts';

function words(settings: Parameters<typeof unknownValues>[0]): string[] {
  return unknownValues(settings).map((one) => one.words.en);
}

test('what our service has is known', () => {
  const payments = { cod: { paymentType: 'POSTAL_PAYMENT' }, card: { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Borica' } };

  expect(words({ vatGroups: { '20': 'GROUP_B', '0': 'GROUP_A' }, payments })).toEqual([]);
  expect(words({})).toEqual([]);
});

test('a payment type, a group and a processor without a name are named, with what was probably meant', () => {
  const payments = { econt: { paymentType: 'POSTAL' }, 'my.bank': { paymentType: 'PAYMENT_PROCESSOR' } };

  expect(words({ vatGroups: { '9': 'GROUP_X' }, payments })).toEqual([
    'vatGroups.9 is GROUP_X, which is none of GROUP_A, GROUP_B, GROUP_C, GROUP_D; did you mean GROUP_A?',
    'payments.econt.paymentType is POSTAL, which is none of PAYMENT_PROCESSOR, VIRTUAL_POS, POSTAL_PAYMENT, BANK_TRANSFER, FISCAL_RECEIPT, OTHER; did you mean POSTAL_PAYMENT?',
    'payments.my.bank.paymentProcessorName is missing: with PAYMENT_PROCESSOR the name of the processor must be given',
  ]);
});

test('both are said in Bulgarian, too', () => {
  const payments = { card: { paymentType: 'CAHS' }, stripe: { paymentType: 'PAYMENT_PROCESSOR' } };

  expect(unknownValues({ payments }).map((one) => one.words.bg)).toEqual([
    expect.stringMatching(/^payments\.card\.paymentType е CAHS, а може да е само /),
    'payments.stripe.paymentProcessorName липсва: при PAYMENT_PROCESSOR трябва да е дадено името на доставчика',
  ]);
});
