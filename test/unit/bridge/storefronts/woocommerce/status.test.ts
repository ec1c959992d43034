import { describe, expect, test } from 'vitest';
import { desired } from '../../../../../src/bridge/order/decisions/desired.ts';
import { factsOf } from '../../../../../src/bridge/order/facts/merge.ts';
import { bodyOf } from '../../../../fixtures/woocommerce/recordings.ts';
import { settings } from '../../../../support/samples/order-facts.ts';
import { newsOf } from '../../../../support/samples/snapshot-of.ts';
import { normalize, read } from '../../../../support/samples/woo-order.ts';

describe('status and payment', () => {
  const unpaid = { date_paid_gmt: null };

  test.each([
    ['pending', 'live', 'unpaid', 'outstanding'],
    ['failed', 'live', 'unpaid', 'outstanding'],
    ['on-hold', 'live', 'unpaid', 'outstanding'],
    ['processing', 'live', 'unpaid', 'paid'],
    ['ready-for-pickup', 'live', 'unpaid', 'paid'],
    ['completed', 'live', 'paid', 'paid'],
    ['cancelled', 'cancelled', 'unpaid', 'paid'],
    ['trash', 'trashed', 'unpaid', 'paid'],
    ['refunded', 'cancelled', 'unpaid', 'paid'],
    ['checkout-draft', 'draft', 'unpaid', 'paid'],
    ['draft', 'draft', 'unpaid', 'paid'],
    ['auto-draft', 'draft', 'unpaid', 'paid'],
    ['new', 'draft', 'unpaid', 'paid'],
  ])('%s is %s; without a date of payment %s, with one %s', (...[status, lifecycle, without, withDate]) => {
    expect(read({ status, ...unpaid })).toMatchObject({ status, lifecycle, payment: without, paidAt: null });
    expect(read({ status })).toMatchObject({ lifecycle, payment: withDate });
  });

  test.each([
    ['processing', 'unpaid', true],
    ['ready-for-pickup', 'unpaid', true],
    ['completed', 'paid', undefined],
    ['pending', 'unpaid', undefined],
    ['on-hold', 'unpaid', undefined],
    ['failed', 'unpaid', undefined],
    ['cancelled', 'unpaid', undefined],
    ['trash', 'unpaid', undefined],
    ['refunded', 'unpaid', undefined],
    ['partially-paid', 'unpaid', undefined],
    ['checkout-draft', 'unpaid', undefined],
  ])('an order that is %s without a date of payment is %s, and on its way: %s; its gateway makes no difference', (status, payment, onItsWay) => {
    for (const payment_method of ['cod', 'econt_cod', 'cheque']) {
      const snapshot = read({ status, payment_method, ...unpaid });

      expect(snapshot.payment).toBe(payment);
      expect(snapshot.onItsWay).toBe(onItsWay);
    }
  });

  test('an order with a date of payment is not on its way unpaid', () => {
    expect(read({ status: 'processing' })).not.toHaveProperty('onItsWay');
  });

  test.each(['partially-paid', 'partial-payment'])('B9: a deposit (%s) does not pay an order in full, though it has a date of payment', (status) => {
    expect(read({ status })).toMatchObject({ lifecycle: 'live', payment: 'unpaid' });
    expect(read({ status: 'completed' }).rank).toBeGreaterThan(read({ status }).rank);
  });

  test('live 7: refunded, without refunds that cover it, was taken back without proof', () => {
    expect(read({ status: 'refunded' })).toMatchObject({ lifecycle: 'cancelled', payment: 'paid' });
    expect(read({ status: 'refunded', refunds: null })).toMatchObject({ lifecycle: 'cancelled', payment: 'paid' });
    expect(read({ status: 'refunded', refunds: [{ id: 8, total: '-23.99' }] })).toMatchObject({ lifecycle: 'cancelled', payment: 'paid' });
    expect(
      read({
        status: 'refunded',
        refunds: [
          { id: 8, total: '-20.00' },
          { id: 9, total: '-4.00' },
        ],
      }),
    ).toMatchObject({ lifecycle: 'live', payment: 'paid' });
  });

  test('live 7: an order marked as refunded without refunds is not recorded in full: a person is asked, or the settings decide', () => {
    const facts = factsOf({ orderId: '7', snapshot: read({ status: 'refunded' }) }, '2026-11-21T03:00:00.000Z');
    const decided = (removeWithoutRefund: 'review' | 'remove' | 'keep') => desired({ orderId: '7', facts, settings: { ...settings, removeWithoutRefund } });

    expect(decided('review')).toMatchObject({ kind: 'problems', problems: [{ code: 'removal.unproven' }] });
    expect(decided('remove')).toEqual({ kind: 'nothing', why: 'removed' });
    expect(decided('keep')).toMatchObject({ kind: 'record' });
  });

  test('refunded without a date of payment was paid if money went back', () => {
    expect(read({ status: 'refunded', refunds: [{ id: 8, total: '-24.00' }], ...unpaid }).payment).toBe('paid');
    expect(read({ status: 'refunded', refunds: undefined, ...unpaid }).payment).toBe('unpaid');
  });

  test('ranks follow the life of an order, plugins’ statuses in their place', () => {
    const rank = (status: string, date_paid_gmt: string | null = null) => read({ status, date_paid_gmt }).rank;
    const paid = '2026-11-21T01:30:00';
    const ranks = [
      ...['auto-draft', 'draft', 'checkout-draft', 'pending', 'failed', 'on-hold', 'ready-for-pickup', 'processing', 'cancelled', 'trash'].map((status) =>
        rank(status),
      ),
      ...['processing', 'ready-for-pickup', 'completed', 'cancelled', 'trash', 'refunded'].map((status) => rank(status, paid)),
    ];

    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    expect(new Set(ranks).size).toBe(ranks.length);
    expect(rank('constructor')).toBe(rank('ready-for-pickup'));
    expect(rank('completed')).toBe(rank('completed', paid));
  });
});

describe('a draft', () => {
  test('leaves neither name nor basket behind', () => {
    const news = newsOf(normalize(bodyOf('068')));

    expect(news).not.toHaveProperty('customer');
    expect(news.snapshot).toMatchObject({ lifecycle: 'draft', lines: [], problems: [], total: '24.00' });
    expect(JSON.stringify(news)).not.toMatch(/maria|Мария|Тениска/i);
  });
});
