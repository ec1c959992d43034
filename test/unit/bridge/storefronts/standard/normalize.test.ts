import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../../../src/bridge/order/facts/facts.ts';
import { standard } from '../../../../../src/bridge/storefronts/standard/standard.ts';
import { cancelledOrder, message, paidOrder, pendingOrder, refund, refundedOrder } from '../../../../fixtures/standard/orders.ts';
import { faultsOf, newsOf, snapshotOf } from '../../../../support/samples/snapshot-of.ts';

function normalize(body: unknown) {
  return standard.normalize({ topic: '', deliveryId: null, store: null }, body);
}

const read = (values: object = {}): Snapshot => snapshotOf(normalize(message('order.updated', { ...paidOrder, ...values })));
const faults = (values: object): string[] => faultsOf(normalize(message('order.updated', { ...paidOrder, ...values })));
const [shirt] = paidOrder.lines;

describe('a whole order', () => {
  test('is read to the last field', () => {
    const { snapshot, ...news } = newsOf(normalize(message('order.paid', paidOrder)));

    expect(news).toEqual({ orderId: '1001', customer: paidOrder.customer, refunds: [] });
    expect(snapshot).toEqual({
      updatedAt: '2026-11-21T07:31:12.345Z',
      rank: 130,
      status: 'paid',
      lifecycle: 'live',
      payment: 'paid',
      test: false,
      paidAt: '2026-11-21T07:31:12.000Z',
      placedAt: '2026-11-21T07:30:00.000Z',
      number: '#1001',
      createdAt: '2026-11-21T09:30:00+02:00',
      currency: 'EUR',
      gateways: ['stripe'],
      transactionId: 'pi_123',
      lines: [
        { id: 'a', kind: 'item', name: 'Тениска', quantity: '2', gross: '48.00', discount: '4.80', vatRate: '20' },
        { id: 'b', kind: 'item', name: 'Книга', quantity: '1', gross: '8.10', discount: '0.00', vatRate: '9' },
        { id: 's', kind: 'shipping', name: 'Куриер', quantity: '1', gross: '6.00', discount: '0.00', vatRate: '20' },
      ],
      total: '57.30',
      refunds: [],
      problems: [],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('counts under any type', () => {
    const types = ['order.paid', 'order.updated', 'order.refunded', 'order.cancelled'];

    expect(new Set(types.map((type) => JSON.stringify(normalize(message(type, refundedOrder))))).size).toBe(1);
  });

  test('brings its refunds with their lines, and lists them', () => {
    const news = newsOf(normalize(message('order.refunded', refundedOrder)));

    expect(news.snapshot?.refunds).toEqual([{ id: 'r1', amount: '21.60' }]);
    expect(news.refunds).toEqual([
      {
        id: 'r1',
        at: '2026-11-21T12:00:00.000Z',
        amount: '21.60',
        transactions: [],
        lines: [{ lineId: 'a', quantity: '1', amount: '21.60' }],
        version: news.snapshot?.updatedAt,
        listed: news.snapshot?.updatedAt,
      },
    ]);
  });

  test('that lists no refunds at all says nothing about them', () => {
    expect(read({ refunds: undefined }).refunds).toBeNull();
    expect(read({ refunds: null }).refunds).toBeNull();
  });

  test('leaves out what is empty of its buyer', () => {
    expect(newsOf(normalize(message('order.paid', { ...paidOrder, customer: { email: ' a@example.invalid ', phone: ' ' } }))).customer).toEqual({
      email: 'a@example.invalid',
    });
    for (const customer of [null, undefined, {}, { phone: '' }]) {
      expect(newsOf(normalize(message('order.paid', { ...paidOrder, customer })))).not.toHaveProperty('customer');
    }
  });

  test('has another digest when only its buyer changed', () => {
    expect(read({ customer: { firstName: 'Ана' } }).digest).not.toBe(read().digest);
  });

  test('may be a trial', () => {
    expect(read({ test: true }).test).toBe(true);
  });

  test('takes fractions as text, and a fee that is a discount', () => {
    const lines = [
      { ...shirt, quantity: '0.50', vatRate: '25.50' },
      { id: 'f', kind: 'fee', name: 'Отстъпка', amount: '-2.39', vatRate: '20' },
    ];

    expect(read({ lines }).lines).toMatchObject([
      { quantity: '0.5', vatRate: '25.5' },
      { kind: 'fee', gross: '-2.39', discount: '0.00' },
    ]);
  });

  test('with amounts of parts of a cent has a problem for each', () => {
    const lines = [{ ...shirt, amount: '48.001', discount: '0.001' }];

    expect(read({ total: '48.0005', lines, refunds: [{ ...refund, amount: '1.005' }] })).toMatchObject({
      total: '48.0005',
      lines: [{ gross: '48.001', discount: '0.001' }],
      refunds: [{ amount: '1.005' }],
      problems: [
        { code: 'amount.inexact', detail: 'the total: 48.0005 EUR' },
        { code: 'amount.inexact', detail: 'line a: 48.001 EUR' },
        { code: 'amount.inexact', detail: 'line a: 0.001 EUR' },
        { code: 'amount.inexact', detail: 'refund r1: 1.005 EUR' },
      ],
    });
  });
});

describe('status and payment', () => {
  test.each([
    ['pending', null, 'live', 'unpaid'],
    ['pending', '2026-11-21T07:00:00Z', 'live', 'outstanding'],
    ['on-delivery', undefined, 'live', 'on-delivery'],
    ['on-delivery', '2026-11-21T07:00:00Z', 'live', 'outstanding'],
    ['paid', '2026-11-21T07:00:00Z', 'live', 'paid'],
    ['cancelled', null, 'cancelled', 'unpaid'],
    ['cancelled', '2026-11-21T07:00:00Z', 'cancelled', 'paid'],
  ])('%s, paid at %s, is %s and %s', (...[status, paidAt, lifecycle, payment]) => {
    expect(read({ status, paidAt })).toMatchObject({ status, lifecycle, payment });
  });

  test('ranks follow the life of an order: paid above unpaid, refunded above paid', () => {
    const states = [
      pendingOrder,
      { ...pendingOrder, status: 'on-delivery', payment: { method: 'cod' } },
      { ...pendingOrder, status: 'cancelled' },
      paidOrder,
      cancelledOrder,
      refundedOrder,
    ];
    const ranks = states.map((state) => read({ ...state }).rank);

    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    expect(new Set(ranks).size).toBe(ranks.length);
  });

  test('payment may be left out while nothing has to be paid', () => {
    expect(read({ ...pendingOrder, payment: null })).toMatchObject({ gateways: [], transactionId: null });
    expect(read({ total: '0.00', lines: [], payment: undefined }).gateways).toEqual([]);
    expect(read({ payment: { method: 'cod' } })).toMatchObject({ gateways: ['cod'], transactionId: null });
  });
});

describe('a refund alone', () => {
  const alone = (values: object = {}) => normalize({ type: 'order.refunded', data: { orderId: '1001', refund: { ...refund, ...values } } });

  test('is news of its order', () => {
    const [listed] = newsOf(normalize(message('order.refunded', refundedOrder))).refunds ?? [];

    const { version, ...refunded } = listed ?? {};
    expect(version).toBe(newsOf(normalize(message('order.refunded', refundedOrder))).snapshot?.updatedAt);
    expect(alone()).toEqual({ kind: 'order', news: { orderId: '1001', refunds: [{ ...refunded, listed: '' }] } });
  });

  test('may be an amount only, or money without pieces', () => {
    expect(newsOf(alone({ lines: undefined })).refunds).toMatchObject([{ amount: '21.60', lines: [] }]);
    expect(newsOf(alone({ lines: [{ lineId: 'f', amount: '-2.39' }] })).refunds).toMatchObject([{ lines: [{ lineId: 'f', quantity: '0', amount: '-2.39' }] }]);
  });

  test('says what is wrong with it', () => {
    expect(faultsOf(alone({ amount: 21.6, lines: [{ lineId: 'a', quantity: -1, amount: '1' }] }))).toEqual([
      'data.refund.amount: must be decimal text like "24.00", not a number',
      'data.refund.lines.0.quantity: must be a whole number, or decimal text like "0.5"',
    ]);
  });

  test('counts beside its order, too, whether that lists it or is gone', () => {
    const beside = (order: object, given: object = refund) => normalize({ type: 'order.refunded', data: { order, refund: given } });
    const own = newsOf(alone()).refunds ?? [];

    expect(newsOf(beside(paidOrder)).refunds).toEqual(own);
    expect(newsOf(beside(refundedOrder)).refunds).toEqual([...(newsOf(normalize(message('order.refunded', refundedOrder))).refunds ?? []), ...own]);
    expect(newsOf(beside({ id: '1001', deleted: true }))).toMatchObject({ deleted: true, refunds: own });
    expect(faultsOf(beside(paidOrder, { ...refund, amount: 21.6 }))).toEqual(['data.refund.amount: must be decimal text like "24.00", not a number']);
  });

  test.each(['order.cancelled', 'refund.created', 'Refund', '', undefined])('B1: counts under any type: %s', (type) => {
    expect(normalize({ type, data: { orderId: '1001', refund, order: null } })).toEqual(alone());
  });
});

test('the sale of a gift card is told apart', () => {
  expect(read({ lines: [{ ...shirt, giftCard: true }] }).lines).toMatchObject([{ id: 'a', giftCard: true }]);
});

describe('a body that can’t be read says why, at once', () => {
  test.each([
    ['a number for money', { total: 57.3 }, ['total: must be decimal text like "24.00", not a number']],
    ['a comma for a point', { total: '57,30' }, ['total: must be decimal text like "24.00"']],
    ['money below zero', { total: '-1.00' }, ['total: must not be negative']],
    ['a number for an id', { id: 1001 }, ['id: must be text']],
    ['a time without a zone', { updatedAt: '2026-11-21T09:30:00' }, ['updatedAt: must be an ISO 8601 date and time with its zone, like 2026-11-21T09:30:00Z']],
    ['a zone that no place has', { createdAt: '2026-11-21T09:30:00+20:00' }, ['createdAt: must have an offset of 14 hours at most, such as +02:00']],
    [
      'a time out of reach',
      { updatedAt: '9999-12-31T23:59:59-01:00', createdAt: '1969-12-31T00:00:00Z' },
      ['createdAt: must lie between 1970 and 9998', 'updatedAt: must lie between 1970 and 9998'],
    ],
    ['paid, but not when', { paidAt: null }, ['paidAt: is required when the status is paid']],
    ['paid, but not how', { payment: null }, ['payment: is required when the status is paid or on-delivery']],
    ['a word that we do not know', { vat_rate: '20' }, ['the order: vat_rate is not known']],
    ['two lines of one id', { lines: [shirt, shirt] }, ['lines: use an id twice']],
    ['two refunds of one id', { refunds: [refund, refund] }, ['refunds: use an id twice']],
    ['a rate as a number', { lines: [{ ...shirt, vatRate: 20 }] }, ['lines.0.vatRate: must be percent as text like "20"']],
    ['no quantity', { lines: [{ ...shirt, quantity: 0 }] }, ['lines.0.quantity: must be a whole number above zero, or decimal text like "0.5"']],
    ['no quantity in text', { lines: [{ ...shirt, quantity: '0.0' }] }, ['lines.0.quantity: must be a whole number above zero, or decimal text like "0.5"']],
    ['a word for a quantity', { lines: [{ ...shirt, quantity: 'two' }] }, ['lines.0.quantity: must be a whole number above zero, or decimal text like "0.5"']],
    ['an item below zero', { lines: [{ ...shirt, amount: '-1.00', discount: '0' }] }, ['lines.0.amount: is negative, which only a fee may be']],
    ['a discount over the amount', { lines: [{ ...shirt, discount: '48.01' }] }, ['lines.0.discount: is more than the amount']],
  ])('%s', (_what, values, words) => {
    expect(faults(values)).toEqual(words.map((word) => (word.startsWith('the order') ? word.replace('the order', 'data.order') : `data.order.${word}`)));
  });

  test('no data, or no order', () => {
    expect(faultsOf(normalize({}))).toEqual(['data: is missing']);
    expect(faultsOf(normalize([]))).toEqual([expect.stringMatching(/^body: /)]);
    expect(faultsOf(normalize({ type: 'order.paid' }))).toEqual([expect.stringMatching(/^data: /)]);
    expect(faultsOf(normalize({ type: 'order.refunded', data: {} }))).toEqual([expect.stringMatching(/^data\.order: /)]);
  });
});

test('extra fields around the order are not read', () => {
  expect(normalize({ ...message('order.paid', { ...paidOrder, metadata: { tag: ['a'] } }), version: 3 })).toEqual(normalize(message('order.paid', paidOrder)));
});
