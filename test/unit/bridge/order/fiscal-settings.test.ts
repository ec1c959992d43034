import { describe, expect, test } from 'vitest';
import { fiscalSettings, frozenBy } from '../../../../src/bridge/order/decisions/desired.ts';
import { type Frozen, sameTerms } from '../../../../src/bridge/order/facts/settings.ts';
import { record } from '../../../support/attempts/situations.ts';
import { facts, snapshot, transaction } from '../../../support/samples/order-facts.ts';
import { sampleTerms } from '../../../support/samples/sample-claim.ts';

const terms = sampleTerms({ settings: { vatGroups: { '9': 'GROUP_D' }, freeOrders: 'ignore', codPaidWhen: 'completed', convertTo: 'EUR' } });
const frozen: Frozen = {
  vatGroups: { '9': 'GROUP_X' },
  payments: { cod: { paymentType: 'POSTAL_PAYMENT' } },
  ...{ convertTo: null, pricesContainVat: null, giftCards: null, giftCardsDeducted: null },
};

describe('an order that was never recorded', () => {
  test('has the settings of its connection over the defaults', () => {
    const seen = fiscalSettings(terms, null);

    expect(seen).toMatchObject({ recordFrom: terms.recordFrom, freeOrders: 'ignore', codPaidWhen: 'completed', convertTo: 'EUR' });
    expect(seen.vatGroups).toEqual({ '20': 'GROUP_B', '9': 'GROUP_D' });
  });
});

describe('an order that was once recorded', () => {
  test('keeps what it was recorded with, and counts for good', () => {
    const seen = fiscalSettings(terms, frozen);

    expect(seen.vatGroups).toEqual({ '20': 'GROUP_B', '9': 'GROUP_X' });
    expect(seen.payments['cod']).toEqual({ paymentType: 'POSTAL_PAYMENT' });
    expect(seen).toMatchObject({ recordFrom: '1970-01-01T00:00:00.000Z', freeOrders: 'record', codPaidWhen: 'processing', convertTo: null });
  });
});

describe('the mapping that a record was made with', () => {
  const processor = { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe' };

  test('is read from the record, for every gateway of its order', () => {
    const known = facts({ transactions: [transaction({ gateway: 'paypal' })] });

    expect(frozenBy(record, known)).toEqual({
      vatGroups: { '20': 'GROUP_B' },
      payments: { free: processor, stripe: processor, paypal: processor },
      convertTo: null,
      ...{ pricesContainVat: null, giftCards: null, giftCardsDeducted: null },
    });
  });

  test('is read even if the order can’t be by now', () => {
    const odd = snapshot({ total: '24.005', paidByGiftCard: true });

    expect(frozenBy(record, facts({ snapshot: odd }))).toMatchObject({ giftCards: null, giftCardsDeducted: false });
  });

  test('names no processor where the record has none', () => {
    expect(frozenBy({ ...record, paymentProcessorName: null }, facts()).payments['free']).toEqual({ paymentType: 'PAYMENT_PROCESSOR' });
  });

  test('is known without the order’s state, too', () => {
    expect(frozenBy(record, facts({ snapshot: null }))).toMatchObject({
      payments: { free: processor },
      ...{ pricesContainVat: null, giftCards: 'record', giftCardsDeducted: false },
    });
  });

  test.each([
    ['EUR', 'EUR', null],
    ['BGN', 'EUR', 'EUR'],
    ['EUR', 'BGN', 'BGN'],
    ['EUR', 'USD', null],
  ])('an order in %s, recorded in %s, was converted to %s', (ordered, currency, convertTo) => {
    expect(frozenBy({ ...record, currency }, facts({ snapshot: snapshot({ currency: ordered }) })).convertTo).toBe(convertTo);
  });
});

describe('terms', () => {
  test('are the same in any order of their settings', () => {
    const turned = { ...terms, settings: Object.fromEntries(Object.entries(terms.settings).toReversed()) as typeof terms.settings };

    expect(sameTerms(terms, turned)).toBe(true);
  });

  test.each([
    ['a setting', { ...terms, settings: { ...terms.settings, receipts: true } }],
    ['the day of the first order', { ...terms, recordFrom: '2026-12-01T00:00:00Z' }],
    ['a trial', { ...terms, onTrial: true }],
  ])('differ by %s', (_what, other) => {
    expect(sameTerms(terms, other)).toBe(false);
  });
});
