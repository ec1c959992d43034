import { describe, expect, test } from 'vitest';
import { isDeleted, noFacts, type OrderNews, type Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import { standard } from '../../../../src/bridge/storefronts/standard/standard.ts';
import { message, paidOrder } from '../../../fixtures/standard/orders.ts';
import { decided, decidedAgain, inShort } from '../../../support/samples/decided.ts';
import { at, line, news, snapshot, transaction } from '../../../support/samples/order-facts.ts';
import { newsOf } from '../../../support/samples/snapshot-of.ts';
import { normalize as woo, wooLine, wooOrder } from '../../../support/samples/woo-order.ts';
import { itemBody, orderBody, refundBody, shippingBody, newsOf as shopify, transactionBody } from '../storefronts/shopify/bodies.ts';

const own = (values: object = {}): OrderNews =>
  newsOf(standard.normalize({ topic: '', deliveryId: null, store: null }, message('order.updated', { ...paidOrder, ...values })));
const wooNews = (values: Record<string, unknown> = {}): OrderNews => newsOf(woo(wooOrder(values)));
const state = (values: Partial<Snapshot>): OrderNews => news({ snapshot: snapshot(values) });

describe('B2: a recorded order that comes back unpaid is not deleted without proof', () => {
  const later = { updatedAt: '2026-11-21T13:00:00Z', paidAt: null };
  const unpaid = own({ ...later, status: 'pending' });
  const cancelled = own({ ...later, status: 'cancelled', refunds: undefined });

  test('own shop: pending without its moment of payment is outstanding', () => {
    expect(inShort(decided([own(), unpaid]))).toEqual([
      'payment.outstanding: It comes to 57.30 EUR, and it was paid before, but its status “pending” says that it is not.',
    ]);
  });

  test.each(['completed', 'processing'] as const)(
    'own shop: on its way again without its moment of payment is outstanding, where codPaidWhen is %s',
    (codPaidWhen) => {
      const back = own({ ...later, status: 'on-delivery' });

      expect(inShort(decidedAgain([own()], [back], { settings: { codPaidWhen } }))).toEqual([
        'payment.outstanding: It comes to 57.30 EUR, and it was paid before, but its status “on-delivery” says that it is not.',
      ]);
    },
  );

  test('own shop: cancelled without its moment of payment is a removal without proof', () => {
    expect(inShort(decided([own(), cancelled]))).toEqual(['removal.unproven: It was cancelled, but the refunds seen do not cover its 57.30 EUR.']);
    expect(inShort(decided([own(), cancelled], { removeWithoutRefund: 'remove' }))).toEqual(['removed']);
    expect(decided([own(), cancelled], { removeWithoutRefund: 'keep' }).kind).toBe('record');
  });

  test('own shop: in any order of arrival', () => {
    expect(inShort(decided([cancelled, own()]))).toEqual(inShort(decided([own(), cancelled])));
  });

  test('own shop: refunds that cover it are proof', () => {
    const refunds = [{ id: 'r1', at: '2026-11-21T12:30:00Z', amount: '57.30' }];

    expect(inShort(decided([own(), own({ ...later, status: 'cancelled', refunds })]))).toEqual(['refunded']);
    expect(inShort(decided([own(), own({ ...later, status: 'pending', refunds })]))).toEqual(['refunded']);
  });

  test.each(['pending', 'processing'])('WooCommerce: set back to %s, its date_paid gone', (status) => {
    const back = wooNews({ status, date_paid_gmt: null, date_modified_gmt: '2026-11-21T03:00:00' });

    expect(inShort(decided([wooNews(), back]))).toEqual([expect.stringMatching(/^payment\.outstanding: It comes to 24\.00 EUR/)]);
  });

  test.each(['cancelled', 'trash'])('WooCommerce: %s, its date_paid gone', (status) => {
    const off = wooNews({ status, date_paid_gmt: null, date_modified_gmt: '2026-11-21T03:00:00' });

    expect(inShort(decided([wooNews(), off]))).toEqual([expect.stringMatching(/^removal\.unproven: It was (cancelled|trashed or deleted), but/)]);
  });

  test.each([
    ['pending', null, /^payment\.outstanding: /],
    ['voided', '2026-10-15T00:00:00Z', /^removal\.unproven: /],
  ])('Shopify: %s after it was paid', (financial_status, cancelled_at, words) => {
    const paid = shopify('orders/paid', orderBody());
    const back = shopify('orders/updated', orderBody({ financial_status, cancelled_at, updated_at: '2026-10-15T00:00:00Z' }));
    const payments = { shopify_payments: { paymentType: 'PAYMENT_PROCESSOR' } };

    expect(inShort(decided([paid, back], { payments, recordFrom: '2026-01-01T00:00:00Z' }))).toEqual([expect.stringMatching(words)]);
  });

  test('an order recorded at the time of ordering that was never paid is removed as before', () => {
    const settings = { codPaidWhen: 'processing' } as const;
    const placed = state({ payment: 'on-delivery', gateways: ['cod'], paidAt: null, transactionId: null });
    const off = state({ payment: 'unpaid', lifecycle: 'cancelled', gateways: ['cod'], paidAt: null, transactionId: null, updatedAt: at('11:00') });

    expect(inShort(decidedAgain([placed], [off], { settings }))).toEqual(['unpaid']);
  });

  test('an order that was only ever unpaid still waits', () => {
    expect(inShort(decided([unpaid]))).toEqual(['unpaid']);
    expect(inShort(decided([cancelled]))).toEqual(['unpaid']);
  });
});

describe('B6: what is left of a cancelled order is recorded', () => {
  const goods = line({ gross: '60.00' });
  const courier = line({ id: 's', kind: 'shipping', name: 'Courier', gross: '5.00' });
  const refunds = [{ id: 'r1', amount: '60.00' }];
  const cancelled: Partial<Snapshot> = { lifecycle: 'cancelled', lines: [goods, courier], total: '65.00', refunds };
  const byLine = { id: 'r1', at: at('12:00'), amount: '60.00', transactions: [], lines: [{ lineId: '1', quantity: '1', amount: '60.00' }] };
  const told = news({ snapshot: snapshot(cancelled), refunds: [byLine] });

  test('cancelled with the courier fee kept ends with the 5.00 that was kept', () => {
    expect(inShort(decided([told]))).toEqual(['1 × 5.00 − 0.00 Courier 20 %']);
    expect(inShort(decided([{ ...told, snapshot: snapshot({ ...cancelled, lifecycle: 'trashed' }) }]))).toEqual(['1 × 5.00 − 0.00 Courier 20 %']);
  });

  test('WooCommerce: cancelled with the courier fee kept, refunded by amount', () => {
    const shipping = { ...wooLine({ id: 71, total: '5.00', total_tax: '1.00', taxes: [{ id: 1, total: '1.00', subtotal: '1.00' }] }), method_title: 'Courier' };
    const order = wooOrder({ status: 'cancelled', total: '30.00', shipping_lines: [shipping], refunds: [{ id: 9, total: '-24.00' }] });
    const decision = decided([newsOf(woo(order))]);

    expect(decision).toMatchObject({ kind: 'record' });
    expect(sumOf(decision)).toBe('6.00');
    expect(decision).not.toHaveProperty('question');
  });

  test('Shopify: cancelled, the pieces refunded, the courier fee kept', () => {
    const refund = refundBody({
      refund_line_items: [{ line_item_id: 16011000000001, quantity: 2, subtotal: 25.8, total_tax: 4.3, line_item: itemBody() }],
      transactions: [transactionBody({ amount: '25.80' })],
    });
    const order = orderBody({
      ...{
        cancelled_at: '2026-10-20T10:00:00Z',
        updated_at: '2026-10-20T11:00:00Z',
        financial_status: 'partially_refunded',
        total_price: '30.70',
        current_total_price: '4.90',
      },
      ...{ line_items: [itemBody({ current_quantity: 0 })], shipping_lines: [shippingBody()], refunds: [refund] },
    });
    const payments = { shopify_payments: { paymentType: 'PAYMENT_PROCESSOR' } };

    expect(inShort(decided([shopify('orders/updated', order)], { payments, recordFrom: '2026-01-01T00:00:00Z' }))).toEqual(['1 × 4.90 − 0.00 Еконт 20 %']);
  });

  test('a part that the store says it still owes is a question, beside the record of what is left', () => {
    expect(inShort(decided([{ ...told, snapshot: snapshot({ ...cancelled, owed: '2.00' }) }]))).toEqual([
      '1 × 5.00 − 0.00 Courier 20 %',
      'removal.unproven: It was cancelled: 60.00 EUR of its 65.00 EUR went back, and the store still owes 2.00 EUR.',
    ]);
  });

  test('but not where the merchant decided about removals, or the order lives', () => {
    const owing = { ...told, snapshot: snapshot({ ...cancelled, owed: '2.00' }) };

    expect(inShort(decided([owing], { removeWithoutRefund: 'keep' }))).toEqual(['1 × 5.00 − 0.00 Courier 20 %']);
    expect(inShort(decided([owing], { removeWithoutRefund: 'remove' }))).toEqual(['removed']);
    expect(inShort(decided([{ ...told, snapshot: snapshot({ ...cancelled, lifecycle: 'live', owed: '2.00' }) }]))).toEqual(['1 × 5.00 − 0.00 Courier 20 %']);
  });

  test('Shopify’s own word for what it still owes', () => {
    const { snapshot: owing } = shopify('orders/updated', orderBody({ total_outstanding: '-2.00' }));
    const { snapshot: settled } = shopify('orders/updated', orderBody({ total_outstanding: null }));

    expect(owing).toMatchObject({ owed: '2.00' });
    expect(settled).not.toHaveProperty('owed');
  });

  test('an order that the store calls refunded should have had all of it back', () => {
    expect(inShort(decided([{ ...told, snapshot: snapshot({ ...cancelled, status: 'refunded' }) }]))).toEqual([
      'removal.unproven: It was marked as refunded, but the refunds seen do not cover its 65.00 EUR.',
    ]);
  });
});

describe('own shop: a deletion with its time', () => {
  const asked = [expect.stringMatching(/^removal\.unproven: It was trashed or deleted/)];
  const state = (time: string): OrderNews => own({ updatedAt: `2026-11-21T${time}:00Z` });
  const gone = (time: string): OrderNews => {
    const order = { id: paidOrder.id, deleted: true, updatedAt: `2026-11-21T${time}:00Z` };
    return newsOf(standard.normalize({ topic: '', deliveryId: null, store: null }, message('order.deleted', order)));
  };

  test('is newer than a state that came late', () => {
    expect(inShort(decided([state('10:00'), gone('11:00')]))).toEqual(asked);
    expect(inShort(decided([gone('11:00'), state('10:00')]))).toEqual(asked);
  });

  test('and older than one that is newer, also when it is repeated', () => {
    expect(decided([gone('11:00'), state('12:00')]).kind).toBe('record');
    expect(decided([state('12:00'), gone('11:00')]).kind).toBe('record');
  });

  test('counts to the second, however late this service read the order by its own clock; until the store says that the order is back', () => {
    const changed = own({ updatedAt: '2026-11-21T10:00:00.500Z' });
    const { snapshot: seen } = changed;
    if (seen === undefined) throw new Error('it has no state');
    const readLater: OrderNews = { ...changed, snapshot: { ...seen, readAt: '2026-11-21T12:00:00.000Z' } };

    expect(inShort(decided([gone('10:00'), readLater]))).toEqual(asked);
    const known = { ...noFacts, deletedOn: '2026-11-21T10:00:00.000Z' };
    expect(isDeleted({ ...known, restoredAt: '2026-11-21T09:59:00.000Z' }, seen)).toBe(true);
    expect(isDeleted({ ...known, restoredAt: '2026-11-21T12:00:01.000Z' }, seen)).toBe(false);
  });
});

describe('an edit left something unpaid, and then the order was cancelled or deleted', () => {
  const open = state({ payment: 'outstanding' });
  const set = (lifecycle: 'cancelled' | 'trashed' | 'live', removeWithoutRefund: 'review' | 'keep' | 'remove') =>
    inShort(decided([news(), { ...open, snapshot: snapshot({ payment: 'outstanding', lifecycle, updatedAt: at('11:00') }) }], { removeWithoutRefund }));

  test.each(['cancelled', 'trashed'] as const)('%s: it is removed where the merchant decided about removals', (lifecycle) => {
    expect(set(lifecycle, 'remove')).toEqual(['removed']);
  });

  test.each([
    ['cancelled', 'review'],
    ['trashed', 'review'],
    ['trashed', 'keep'],
    ['live', 'remove'],
  ] as const)('%s, %s: a person is asked', (lifecycle, removals) => {
    expect(set(lifecycle, removals)).toEqual([expect.stringMatching(/^payment\.outstanding/)]);
  });
});

describe('codCancelled: a parcel that came back', () => {
  const completed: Partial<Snapshot> = { gateways: ['cod'], transactionId: null, status: 'completed' };
  const settings = { codCancelled: 'remove' } as const;
  const decideOn = (values: Partial<Snapshot>, more: Partial<OrderNews> = {}) =>
    inShort(decided([state(completed), { ...state({ ...completed, updatedAt: at('11:00'), ...values }), ...more }], settings));
  const cancelled: Partial<Snapshot> = { lifecycle: 'cancelled', status: 'cancelled' };

  test('is removed, where the merchant says so: cancelled', () => {
    expect(decideOn(cancelled)).toEqual(['removed']);
    expect(inShort(decided([state({ ...completed, ...cancelled })]))).toEqual([expect.stringMatching(/^removal\.unproven/)]);
  });

  test('is removed, where the merchant says so: failed', () => {
    const failed: Partial<Snapshot> = { status: 'failed', payment: 'outstanding' };

    expect(decideOn(failed)).toEqual(['removed']);
    expect(inShort(decided([state({ ...completed, ...failed })]))).toEqual(['payment.outstanding: It comes to 24.00 EUR, and not all of that is paid.']);
  });

  test('WooCommerce: completed at dispatch, then refused', () => {
    const cod = { payment_method: 'cod', transaction_id: '', status: 'completed' };
    const payments = { cod: { paymentType: 'POSTAL_PAYMENT' } };
    const set = (status: string) => decided([wooNews(cod), wooNews({ ...cod, status, date_modified_gmt: '2026-11-21T05:00:00' })], { ...settings, payments });

    expect(inShort(set('cancelled'))).toEqual(['removed']);
    expect(inShort(set('failed'))).toEqual(['removed']);
    expect(inShort(set('pending'))).toEqual([expect.stringMatching(/^payment\.outstanding/)]);
  });

  test.each<[string, Partial<Snapshot>, Partial<OrderNews>]>([
    ['was paid by card', { ...cancelled, gateways: ['stripe'] }, {}],
    ['was paid by card, too', { ...cancelled, gateways: ['cod', 'stripe'] }, {}],
    ['names no gateway', { ...cancelled, gateways: [] }, {}],
    ['has a transaction', { ...cancelled, transactionId: 'pi_1' }, {}],
    ['has a charge', cancelled, { transactions: [transaction({ gateway: 'cod', reference: null })] }],
    ['was trashed', { lifecycle: 'trashed', status: 'trash' }, {}],
    ['is called refunded', { lifecycle: 'cancelled', status: 'refunded' }, {}],
  ])('but a person is asked if it %s', (_what, values, more) => {
    expect(decideOn(values, more)).toEqual([expect.stringMatching(/^removal\.unproven/)]);
  });

  test('and what was given back of it shows that there was money', () => {
    expect(decideOn({ ...cancelled, refunds: [{ id: 'r1', amount: '4.00' }] })).toEqual(['1 × 24.00 − 4.00 Mug 20 %']);
  });
});

function sumOf(decision: ReturnType<typeof decided>): string {
  if (decision.kind !== 'record') return decision.kind;
  return decision.record.lineItems.reduce((all, { price, quantity, discount }) => all + Number(price) * quantity - Number(discount), 0).toFixed(2);
}
