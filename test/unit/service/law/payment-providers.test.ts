import { describe, expect, test } from 'vitest';
import { lacksNumber, processorId } from '../../../../src/service/law/audit-codes.ts';

describe('the identifier of a provider in the audit file', () => {
  test.each([
    ['Stripe', 'IE3206488LH Stripe'],
    [' paypal ', 'B00000351 PayPal (Europe) S.à r.l. et Cie, S.C.A.'],
    ['ePay.bg', '131344648 Изипей АД'],
    ['Изипей АД', '131344648 Изипей АД'],
  ])('of %j alone is %j', (said, written) => {
    expect(processorId(said)).toBe(written);
    expect(lacksNumber(written)).toBe(false);
  });

  test.each(['Stripe Payments Bulgaria', 'stripe 2', 'myPOS', ''])('of %j is what was said', (said) => {
    expect(processorId(said)).toBe(said);
    expect(lacksNumber(said)).toBe(true);
  });

  test.each(['131344648', 'BG131344648 Изипей АД', 'Изипей (131344648)', 'NL849699515B01 Adyen', 'Adyen, NL 849699515', 'ЕИК:131344648'])(
    '%j has a number',
    (said) => {
      expect(lacksNumber(said)).toBe(false);
    },
  );
});
