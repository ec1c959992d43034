import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../../../fixtures/woocommerce/recordings.ts';
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
    ['refunded', 'live', 'unpaid', 'paid'],
    ['checkout-draft', 'draft', 'unpaid', 'unpaid'],
    ['draft', 'draft', 'unpaid', 'unpaid'],
    ['auto-draft', 'draft', 'unpaid', 'unpaid'],
    ['new', 'draft', 'unpaid', 'unpaid'],
  ])('%s is %s; without a date of payment %s, with one %s', (...[status, lifecycle, without, withDate]) => {
    expect(read({ status, ...unpaid })).toMatchObject({ status, lifecycle, payment: without, paidAt: null });
    expect(read({ status })).toMatchObject({ lifecycle, payment: withDate });
  });

  test.each([
    ['processing', 'on-delivery'],
    ['ready-for-pickup', 'on-delivery'],
    ['completed', 'paid'],
    ['pending', 'unpaid'],
    ['on-hold', 'unpaid'],
    ['failed', 'unpaid'],
    ['cancelled', 'unpaid'],
    ['trash', 'unpaid'],
    ['refunded', 'unpaid'],
    ['checkout-draft', 'unpaid'],
  ])('cash on delivery that is %s without a date of payment is %s', (status, payment) => {
    expect(read({ status, payment_method: 'cod', ...unpaid }).payment).toBe(payment);
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
