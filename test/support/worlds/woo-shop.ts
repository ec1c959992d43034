import { expect } from 'vitest';
import type { SettingsInput } from '../../../src/bridge/connections/connection-settings.ts';
import type { KeptOrder } from '../../../src/bridge/ledger/orders/read-orders.ts';
import { addressOf, postWoo } from '../samples/signed-webhooks.ts';
import { wooLine, wooOrder } from '../samples/woo-order.ts';
import { startStoreApi } from '../servers/store-api.ts';
import { until } from './settled.ts';
import { totals, type World } from './world.ts';

/** Two pieces, 48.00; each save of it in the store moves `date_modified_gmt` by a minute. */
export function saved(minute: number, values: Record<string, unknown> = {}): Record<string, unknown> {
  const items = [wooLine({ quantity: 2, subtotal: '40.00', subtotal_tax: '8.00', total: '40.00', total_tax: '8.00', taxes: [{ id: 1, total: '8.00' }] })];
  return wooOrder({ total: '48.00', line_items: items, date_modified_gmt: `2026-11-21T02:${String(minute).padStart(2, '0')}:00`, ...values });
}

export const half = { refunds: [{ id: 8, total: '-24.00' }] };
export const whole = { status: 'refunded', refunds: [{ id: 8, total: '-48.00' }] };

export function refundOf(pieces: 1 | 2) {
  const line = { quantity: -pieces, total: `-${20 * pieces}.00`, total_tax: `-${4 * pieces}.00`, meta_data: [{ key: '_refunded_item_id', value: '70' }] };
  return { id: 8, date_created_gmt: '2026-11-21T02:05:00', amount: `${24 * pieces}.00`, line_items: [line], shipping_lines: [], fee_lines: [] };
}

/** What the store's API says of order 7: `null`: it is gone for good; `refusal`: a status in place of every answer. */
type Known = { order: Record<string, unknown> | null; refunds: unknown[]; refusal?: number };

/** A WooCommerce store with its REST API, connected with or without a key; order 7 is the one that is looked at. */
export async function startWooShop(it: World, { keys = true, settings = {} }: { keys?: boolean; settings?: SettingsInput } = {}) {
  const known: Known = { order: saved(0), refunds: [] };
  const api = await startStoreApi((path) => {
    if (known.refusal !== undefined) return { status: known.refusal, body: { code: 'woocommerce_rest_cannot_view', message: 'No.' } };
    if (path.includes('/refunds?')) return { status: 200, body: known.refunds };
    if (known.order === null) return { status: 404, body: { code: 'woocommerce_rest_shop_order_invalid_id', message: 'Invalid ID.' } };
    return { status: 200, body: known.order };
  });
  const access = keys ? { url: api.url, consumerKey: 'ck', consumerSecret: 'cs' } : null;
  const connected = await it.bridge.connect({ platform: 'woocommerce', access, settings });
  const send = async (topic: string, body: unknown) => {
    const { status } = await postWoo(addressOf(it.bridge.app.url, connected), { topic, body, secret: connected.secret });
    expect(status).toBe(200);
  };
  const hook = (name: string, arg: unknown) => send(`action.${name}`, { action: name, arg });
  /** Waits until order 7 is in this state, and the service has exactly these records of it. */
  const ends = (state: KeptOrder['state'], records: string[]) =>
    until(
      async () => {
        const settled = await it.bridge.settled(connected, '7', state);
        expect(totals(it.service, '7')).toEqual(records);
        return settled;
      },
      { what: `order 7 to be ${state} as ${records.join(', ')}` },
    );
  return { api, known, connected, send, hook, ends, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}
