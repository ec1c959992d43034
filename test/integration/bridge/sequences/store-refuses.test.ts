import { describe, expect, test } from 'vitest';
import { longTest } from '../../../support/long-test.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { half, refundOf, saved, startWooShop, whole } from '../../../support/worlds/woo-shop.ts';

const world = useSharedWorlds();

describe('B3: what a store that answers 403 keeps waiting', () => {
  test('is not a full refund: its record is removed at once', async () => {
    await using it = await world();
    await using shop = await startWooShop(it);
    shop.known.refusal = 403;
    await shop.send('order.updated', saved(0));
    await shop.ends('recorded', ['48.00']);

    await shop.send('order.updated', saved(5, whole));

    await shop.ends('removed', []);
    expect(shop.api.asked).toEqual([]);
  });

  test('is not a full refund of which a change of status told as well, after or before it', async () => {
    await using it = await world();
    await using shop = await startWooShop(it);
    shop.known.refusal = 403;
    await shop.send('order.updated', saved(0));
    await shop.ends('recorded', ['48.00']);

    await shop.hook('woocommerce_order_status_changed', 7);
    await shop.send('order.updated', saved(5, whole));
    await shop.hook('woocommerce_order_status_changed', 7);

    await shop.ends('removed', []);
    expect(shop.api.asked).toEqual([]);
  });

  test('is not the deletion of an order that was refunded in full', async () => {
    await using it = await world();
    await using shop = await startWooShop(it);
    shop.known.refusal = 403;
    await shop.send('order.updated', saved(5, whole));
    await shop.send('order.deleted', { id: 7 });

    await shop.ends('removed', []);
    expect(shop.api.asked).toEqual([]);
  });

  longTest('is a part that is refunded: retried, in review after six hours with the record as it was, and gone on with when the key works', async () => {
    await using it = await world();
    await using shop = await startWooShop(it);
    const { bridge } = it;
    await shop.send('order.updated', saved(0));
    await shop.ends('recorded', ['48.00']);
    shop.known.refusal = 403;

    await shop.send('order.updated', saved(5, half));
    await until(() => shop.api.asked.length > 1, { what: 'a second try' });
    expect(await bridge.order(shop.connected, '7')).toMatchObject({ state: 'queued', review: null });
    await bridge.pool.query("update orders set dirty_since = now() - interval '6 hours', attempts = 8 where order_id = '7'");

    const { review } = await shop.ends('review', ['48.00']);
    expect(review).toMatchObject({ code: 'storefront.refused', detail: expect.stringMatching(/^the store answered 403: its REST key is refused/) });

    delete shop.known.refusal;
    await bridge.pool.query('update store_calls set until = now()');
    shop.known.refunds = [refundOf(1)];
    await shop.send('order.updated', { ...saved(5, half), id: 9 });
    await shop.ends('recorded', ['24.00']);
  });
});
