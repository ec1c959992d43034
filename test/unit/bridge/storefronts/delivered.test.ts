import { describe, expect, test } from 'vitest';
import { standard } from '../../../../src/bridge/storefronts/standard/standard.ts';
import { message, paidOrder } from '../../../fixtures/standard/orders.ts';
import { snapshotOf as snapshotIn } from '../../../support/samples/snapshot-of.ts';
import { read as woo } from '../../../support/samples/woo-order.ts';
import { snapshotOf as shopify } from './shopify/bodies.ts';

describe('when an order was delivered', () => {
  test.each<[string, Record<string, unknown>, string | undefined]>([
    ['completed', { status: 'completed', date_completed_gmt: '2026-11-25T10:00:00' }, '2026-11-25T10:00:00.000Z'],
    ['refunded after that', { status: 'refunded', date_completed_gmt: '2026-11-25T10:00:00' }, '2026-11-25T10:00:00.000Z'],
    ['opened again', { status: 'processing', date_completed_gmt: '2026-11-25T10:00:00' }, undefined],
    ['without its moment', { status: 'completed', date_completed_gmt: null }, undefined],
    ['with a moment that is none', { status: 'completed', date_completed_gmt: 'soon' }, undefined],
    ['not completed', { status: 'processing' }, undefined],
  ])('WooCommerce: %s', (_what, order, deliveredAt) => {
    expect(woo(order).deliveredAt).toBe(deliveredAt);
  });

  const parcel = (created_at: string, status: string | null = 'success') => ({ created_at, status });

  test.each<[string, Record<string, unknown>, string | undefined]>([
    [
      'the last parcel of all',
      { fulfillment_status: 'fulfilled', fulfillments: [parcel('2026-11-25T12:00:00+02:00'), parcel('2026-11-24T12:00:00+02:00')] },
      '2026-11-25T10:00:00.000Z',
    ],
    ['one that did not go', { fulfillment_status: 'fulfilled', fulfillments: [parcel('2026-11-25T12:00:00+02:00', 'cancelled')] }, undefined],
    ['a part', { fulfillment_status: 'partial', fulfillments: [parcel('2026-11-25T12:00:00+02:00')] }, undefined],
    ['nothing', { fulfillment_status: null, fulfillments: [] }, undefined],
    ['what can’t be read', { fulfillment_status: 'fulfilled', fulfillments: [{ created_at: 'soon' }] }, undefined],
  ])('Shopify: %s', (_what, order, deliveredAt) => {
    expect(shopify(order).deliveredAt).toBe(deliveredAt);
  });

  test('own shop: as it says', () => {
    const read = (values: object) =>
      snapshotIn(standard.normalize({ topic: '', deliveryId: null, store: null }, message('order.updated', { ...paidOrder, ...values })));

    expect(read({ deliveredAt: '2026-11-25T12:00:00+02:00' }).deliveredAt).toBe('2026-11-25T10:00:00.000Z');
    expect(read({ deliveredAt: null })).not.toHaveProperty('deliveredAt');
  });
});
