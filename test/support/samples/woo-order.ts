import type { Snapshot } from '../../../src/bridge/order/facts/facts.ts';
import type { Normalized } from '../../../src/bridge/storefronts/contract.ts';
import { woocommerce } from '../../../src/bridge/storefronts/woocommerce/woocommerce.ts';
import { snapshotOf } from './snapshot-of.ts';

/** A body normalized by WooCommerce's storefront, under a topic. */
export function normalize(body: unknown, topic = 'order.updated'): Normalized {
  return woocommerce.normalize({ topic, deliveryId: null, store: null }, body);
}

/** The snapshot of `wooOrder` with these fields. */
export function read(values: Record<string, unknown> = {}): Snapshot {
  return snapshotOf(normalize(wooOrder(values)));
}

/** The snapshot of an order of one line with these fields. */
export function readLine(values: Record<string, unknown>): Snapshot {
  return read({ line_items: [wooLine(values)] });
}

/** A WooCommerce order of one T-shirt, 20.00 net and 4.00 VAT, paid by card; only the fields that are read. */
export function wooOrder(values: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 7,
    number: '7',
    status: 'processing',
    currency: 'EUR',
    date_created_gmt: '2026-11-21T01:00:00',
    date_modified_gmt: '2026-11-21T02:00:00',
    date_paid_gmt: '2026-11-21T01:30:00',
    total: '24.00',
    payment_method: 'stripe',
    transaction_id: 'ch_7',
    billing: { first_name: 'Мария', last_name: 'Иванова', email: 'maria@example.invalid', phone: '' },
    line_items: [wooLine()],
    shipping_lines: [],
    fee_lines: [],
    tax_lines: [
      { rate_id: 1, rate_percent: 20 },
      { rate_id: 2, rate_percent: 9 },
    ],
    refunds: [],
    ...values,
  };
}

export function wooLine(values: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 70,
    name: 'T-shirt',
    quantity: 1,
    subtotal: '20.00',
    subtotal_tax: '4.00',
    total: '20.00',
    total_tax: '4.00',
    taxes: [{ id: 1, total: '4.00', subtotal: '4.00' }],
    ...values,
  };
}
