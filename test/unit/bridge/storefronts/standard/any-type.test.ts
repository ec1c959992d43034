import { describe, expect, test } from 'vitest';
import { standard } from '../../../../../src/bridge/storefronts/standard/standard.ts';
import { message, paidOrder } from '../../../../fixtures/standard/orders.ts';
import { faultsOf } from '../../../../support/samples/snapshot-of.ts';

function normalize(body: unknown) {
  return standard.normalize({ topic: '', deliveryId: null, store: null }, body);
}

describe('B1: a paid order is read whatever its type says', () => {
  test.each(['order.created', 'order.completed', 'Order.Paid', 'ORDER_PAID', '', undefined])('%s', (type) => {
    expect(normalize({ type, data: { order: paidOrder } })).toEqual(normalize(message('order.paid', paidOrder)));
  });

  test('and a body without an order or a refund is kept as unreadable, not dropped', () => {
    expect(faultsOf(normalize({ type: 'product.updated', data: {} }))).toEqual([expect.stringMatching(/^data\.order: /)]);
    expect(faultsOf(normalize({ type: 'order.completed', order: paidOrder }))).toEqual([expect.stringMatching(/^data: /)]);
    expect(faultsOf(normalize({ type: 7, data: { order: paidOrder } }))).toEqual([expect.stringMatching(/^type: /)]);
  });
});

describe('a deleted order', () => {
  const deleted = (order: object) => normalize(message('order.deleted', order));

  test('is gone, whatever its type says', () => {
    const order = { id: '1001', deleted: true, updatedAt: '2026-11-21T10:02:00Z' };

    expect(deleted(order)).toEqual({ kind: 'order', news: { orderId: '1001', deleted: true, deletedOn: '2026-11-21T10:02:00.000Z' } });
    expect(normalize(message('order.updated', order))).toEqual(deleted(order));
  });

  test('has no time where none is given, or one more than a day ahead of its message', () => {
    const sentAt = '2026-11-21T12:00:00.000Z';
    const on = (updatedAt?: string) =>
      standard.normalize({ topic: '', deliveryId: null, store: null, sentAt }, message('order.deleted', { id: '1001', deleted: true, updatedAt }));

    expect([on(), on('2031-11-21T12:00:00Z')]).toEqual(Array.from({ length: 2 }, () => ({ kind: 'order', news: { orderId: '1001', deleted: true } })));
  });

  test('is none if it says more than that, so that no order is lost by a stray field', () => {
    expect(faultsOf(deleted({ ...paidOrder, deleted: true }))).toEqual([expect.stringMatching(/^data\.order: /)]);
    expect(faultsOf(deleted({ ...paidOrder, deleted: false }))).toEqual([expect.stringMatching(/^data\.order: /)]);
  });
});

describe('an order from the future', () => {
  const sentAt = '2026-11-21T12:00:00.000Z';
  const from = (updatedAt: string, sent: string | undefined = sentAt) =>
    standard.normalize(
      { topic: '', deliveryId: null, store: null, ...(sent === undefined ? {} : { sentAt: sent }) },
      message('order.paid', { ...paidOrder, updatedAt }),
    );

  test('is unreadable, because it would win over every later state', () => {
    expect(faultsOf(from('2031-11-21T12:00:00Z'))).toEqual([
      'data.order.updatedAt: 2031-11-21T12:00:00Z is more than a day ahead of the message, so the order would take no later change',
    ]);
    expect(faultsOf(from('2026-11-22T12:00:00.001Z'))).toHaveLength(1);
  });

  test('is read if its clock is off by up to a day, or nothing says when it was sent', () => {
    expect(from('2026-11-22T12:00:00Z').kind).toBe('order');
    expect(
      standard.normalize({ topic: '', deliveryId: null, store: null }, message('order.paid', { ...paidOrder, updatedAt: '2031-11-21T12:00:00Z' })).kind,
    ).toBe('order');
  });

  test('is known by the signed moment of its message', () => {
    const envelope = (timestamp: string) => standard.envelope(new Map([['webhook-timestamp', timestamp]]));

    expect(envelope('1795262400')).toMatchObject({ sentAt });
    expect(envelope('soon')).not.toHaveProperty('sentAt');
  });
});
