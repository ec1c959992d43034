import { describe, expect, test } from 'vitest';
import { inspectStore } from '../../../../../src/bridge/storefronts/woocommerce/inspect-store.ts';
import { startWooReader, TEN } from '../../../../support/servers/woo/read-woo.ts';
import { usualSettings } from '../../../../support/servers/woo/woo-settings.ts';

const HOUR = 3_600_000;
const asked = { since: TEN, most: 200 };

describe('what a store knows of itself', () => {
  test('are its currency, taxes, payment methods and the statuses of its plugins', async () => {
    const statuses = [{ slug: 'econt-delivered', name: 'Платена &amp; доставена' }];
    await using it = await startWooReader({ settings: { ...usualSettings, statuses, roundAtSubtotal: true } });

    const { orders, ...known } = await inspectStore(it.access(), it.means(), asked);

    expect(orders).toEqual([]);
    expect(known).toEqual({
      store: { name: null, currency: 'EUR', decimals: 2, pricesIncludeTax: true, roundAtSubtotal: true, version: '10.5.0' },
      rates: [
        { country: 'BG', rate: '20', name: 'ДДС' },
        { country: 'BG', rate: '9', name: 'ДДС' },
      ],
      gateways: usualSettings.gateways,
      statuses: [{ id: 'econt-delivered', name: 'Платена & доставена' }],
    });
    expect(it.store.asked.map(({ path }) => path)).toContain('/wp-json/wc/v3/payment_gateways?_fields=id,title,enabled');
  });

  test('is nothing, where the store does not say it', async () => {
    await using it = await startWooReader();
    it.store.host.intercept = ({ path }) => (path.includes('/orders?') ? undefined : { status: 404, body: { code: 'rest_no_route' } });

    const { orders: _none, ...known } = await inspectStore(it.access(), it.means(), asked);

    expect(known).toEqual({
      store: { name: null, currency: null, decimals: null, pricesIncludeTax: null, roundAtSubtotal: null, version: null },
      ...{ rates: [], gateways: [], statuses: [] },
    });
  });

  test.each([
    ['half of it', { environment: {}, settings: {} }],
    ['none of it', {}],
  ])('is left out where it is another release’s: %s', async (_what, body) => {
    await using it = await startWooReader();
    it.store.host.intercept = ({ path }) => (path.includes('system_status') ? { status: 200, body } : undefined);

    expect((await inspectStore(it.access(), it.means(), asked)).store).toMatchObject({ currency: null, decimals: null, version: null, pricesIncludeTax: true });
  });
});

describe('its orders', () => {
  test('are the newest ones placed since then, with the lines of their refunds, as webhooks would have them', async () => {
    await using it = await startWooReader();
    const before = it.store.floor.buy();
    it.clock.now += HOUR;
    for (let i = 0; i < 30; i += 1) {
      it.store.floor.buy();
      it.clock.now += 1_000;
    }
    const [newest] = [it.store.floor.buy()];
    it.store.floor.refund(newest.id, { cents: 600 });
    it.store.floor.save(before.id);
    it.clock.now += 10_000;
    const since = new Date(it.clock.now - HOUR / 2).toISOString();

    const { orders } = await inspectStore(it.access(), it.means(), { since, most: 200 });

    expect([orders.length, orders[0]?.orderId]).toEqual([31, String(newest.id)]);
    expect(orders[0]).toMatchObject({ snapshot: { total: '24.00', gateways: ['stripe'] }, refunds: [{ amount: '6.00', lines: [{ amount: '6.00' }] }] });
    expect(orders[1]?.refunds).toBeUndefined();
    expect((await inspectStore(it.access(), it.means(), { since, most: 10 })).orders).toHaveLength(10);
  });

  test('are read on where a plugin takes some out of a page, and where the store does not count its pages', async () => {
    await using it = await startWooReader({ leavesOut: (id) => id === 3 });
    for (let i = 0; i < 30; i += 1) it.store.floor.buy();
    const all = (await inspectStore(it.access(), it.means(), { since: '2026-11-01T00:00:00.000Z', most: 200 })).orders.length;
    it.store.host.leavesOut = () => false;
    it.store.host.hasTotals = false;

    expect([all, (await inspectStore(it.access(), it.means(), { since: '2026-11-01T00:00:00.000Z', most: 200 })).orders.length]).toEqual([29, 30]);
  });

  test('that can’t be read have no snapshot', async () => {
    await using it = await startWooReader();
    it.store.floor.buy({ values: { line_items: 'none' as never } });
    const undated = it.store.floor.buy({ values: { date_created_gmt: null as never } });
    const refunded = it.store.floor.buy();
    Object.assign(it.store.floor.refund(refunded.id, { cents: 600 }), { amount: '' });
    const { orders } = await inspectStore(it.access(), it.means(), { since: '2026-11-01T00:00:00.000Z', most: 5 });

    expect(orders.toSorted((one, other) => Number(one.orderId) - Number(other.orderId))).toEqual(
      [1, undated.id, refunded.id].map((id) => ({ orderId: String(id) })),
    );
  });

  test('of a store that refuses its key are not read: it is thrown', async () => {
    await using it = await startWooReader();

    await expect(inspectStore(it.access('customer'), it.means(), asked)).rejects.toThrow(/^storefront\.refused: the store answered 403/);
  });
});
