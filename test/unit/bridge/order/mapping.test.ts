import { describe, expect, test } from 'vitest';
import { canonicalRate, defaultMapping, effectiveMapping, vatGroupOf } from '../../../../src/bridge/order/facts/settings.ts';
import { wellKnownGateways } from '../../../../src/bridge/storefronts/well-known-gateways.ts';

const defaults = defaultMapping(wellKnownGateways);

describe('the default mapping', () => {
  test('knows the one VAT group that the documentation knows', () => {
    expect(defaults.vatGroups).toEqual({ '20': 'GROUP_B' });
  });

  test.each([
    ['shopify_payments', 'Shopify Payments'],
    ['stripe', 'Stripe'],
    ['stripe_cc', 'Stripe'],
    ['ppcp-gateway', 'PayPal'],
    ['braintree_credit_card', 'Braintree'],
    ['mypos_virtual', 'myPOS'],
    ['klarna_payments', 'Klarna'],
    ['revolut_cc', 'Revolut'],
    ['mollie_wc_gateway_creditcard', 'Mollie'],
    ['adyen', 'Adyen'],
  ])('takes %s for the processor %s', (gateway, paymentProcessorName) => {
    expect(defaults.payments[gateway]).toEqual({ paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName });
  });

  test.each(['cod', 'bacs', 'cheque', 'manual', 'Cash on Delivery (COD)', 'gift_card', 'bogus', ''])('does not guess what %j is', (gateway) => {
    expect(Object.keys(defaults.payments)).not.toContain(gateway);
  });
});

describe('the effective mapping', () => {
  test('is the default where the merchant says nothing', () => {
    expect(effectiveMapping({}, defaults)).toEqual(defaults);
    expect(effectiveMapping({ vatGroups: undefined, payments: undefined }, defaults)).toEqual(defaults);
  });

  test('takes the merchant’s settings key by key', () => {
    const said = {
      vatGroups: { '9.0': 'GROUP_D', '20.00': 'GROUP_C' },
      payments: { stripe: { paymentType: 'VIRTUAL_POS', paymentProcessorName: undefined }, mine: { paymentType: 'OTHER', paymentProcessorName: 'Mine' } },
    };

    const { vatGroups, payments } = effectiveMapping(said, defaults);

    expect(vatGroups).toEqual({ '9': 'GROUP_D', '20': 'GROUP_C' });
    expect(payments).toEqual({
      ...defaults.payments,
      stripe: { paymentType: 'VIRTUAL_POS' },
      mine: { paymentType: 'OTHER', paymentProcessorName: 'Mine' },
    });
  });
});

describe('a VAT rate', () => {
  test.each([
    ['20', '20'],
    ['20.0', '20'],
    ['020.00', '20'],
    [' 9 ', '9'],
    ['0', '0'],
    ['0.00', '0'],
    ['25.50', '25.5'],
    ['reduced', 'reduced'],
    ['-5', '-5'],
    ['0'.repeat(10_000), '0'],
    [`1.${'0'.repeat(10_000)}x`, `1.${'0'.repeat(10_000)}x`],
  ])('%.20j is written %s', (rate, canonical) => {
    expect(canonicalRate(rate)).toBe(canonical);
  });

  test.each([
    ['20', { '20': 'GROUP_B' }, 'GROUP_B'],
    ['20', { '20.0': 'GROUP_B' }, 'GROUP_B'],
    ['20.0', { '20': 'GROUP_B', '20.0': 'GROUP_C' }, 'GROUP_B'],
    ['7', { '20': 'GROUP_B' }, undefined],
    ['constructor', {}, undefined],
  ])('%s in %j has group %s', (rate, groups, group) => {
    expect(vatGroupOf(rate, groups)).toBe(group);
  });
});
