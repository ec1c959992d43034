import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { blockAt } from '../../../support/worlds/roadblock.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { half, refundOf, saved, startWooShop, whole } from '../../../support/worlds/woo-shop.ts';
import type { World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

const noted = rowsOf('deliveries', z.object({ outcome: z.string(), detail: z.string().nullable() }));

/** What became of the deliveries of a topic that are of no order. */
async function notes(it: World, topic: string): Promise<z.output<typeof noted.schema>[]> {
  const text = 'select outcome, detail from deliveries where topic = $1 and order_ref is null';
  const look = async () => {
    const rows = await readRows(it.bridge.pool, noted, { text, values: [topic] });
    return rows.length > 0 ? rows : null;
  };
  return (await until(look, { what: `a note of ${topic}` })) ?? [];
}

describe('B5: a refund is deleted, and the order comes again with the same time of change', () => {
  test('with a key, the store is asked, and the whole sale is recorded again', async () => {
    await using it = await world();
    await using shop = await startWooShop(it);
    shop.known.refunds = [refundOf(1)];
    await shop.send('order.updated', saved(5, half));
    await shop.ends('recorded', ['24.00']);

    Object.assign(shop.known, { order: saved(5), refunds: [] });
    await shop.send('order.updated', saved(5));

    await shop.ends('recorded', ['48.00']);
  });

  test('with a key, a list that only came late changes nothing', async () => {
    await using it = await world();
    await using shop = await startWooShop(it);
    Object.assign(shop.known, { order: saved(5, half), refunds: [refundOf(1)] });
    await shop.send('order.updated', saved(5, half));
    await shop.ends('recorded', ['24.00']);

    await shop.send('order.updated', saved(5));
    await until(() => shop.api.asked.some(({ path }) => !path.includes('/refunds')), { what: 'the order to be looked up' });

    await shop.ends('recorded', ['24.00']);
    expect(it.service.current('7')).toHaveLength(1);
  });

  test('without a key a person is asked, the record stays, and saving the order clears it', async () => {
    await using it = await world();
    await using shop = await startWooShop(it, { keys: false });
    await shop.send('order.updated', saved(5, half));
    await shop.ends('recorded', ['24.00']);

    await shop.send('order.updated', saved(5));
    expect((await shop.ends('review', ['24.00'])).review?.code).toBe('refund.deleted');

    await shop.send('order.updated', saved(9));
    await shop.ends('recorded', ['48.00']);
  });

  test.each([true, false])('a state without the refund that came before it says nothing (key: %s)', async (keys) => {
    await using it = await world();
    await using shop = await startWooShop(it, { keys });
    shop.known.refunds = [refundOf(1)];
    await shop.send('order.updated', saved(5));
    await shop.ends('recorded', ['48.00']);

    await shop.send('order.updated', saved(5, half));

    await shop.ends('recorded', ['24.00']);
    expect(shop.api.asked.every(({ path }) => path.includes('/refunds?'))).toBe(true);
  });
});

describe('live 6: an order is deleted for good', () => {
  test.each([7, '7'])('without a key, action.woocommerce_delete_order of %j asks a person, and the record stays', async (arg) => {
    await using it = await world();
    await using shop = await startWooShop(it, { keys: false });
    await shop.send('order.updated', saved(0));
    await shop.ends('recorded', ['48.00']);

    await shop.hook('woocommerce_delete_order', arg);

    expect((await shop.ends('review', ['48.00'])).review?.code).toBe('removal.unproven');
  });

  test('with a key, the store is asked: what is gone is asked about, what is not stays recorded', async () => {
    await using it = await world();
    await using shop = await startWooShop(it);
    await shop.send('order.updated', saved(0));
    await shop.ends('recorded', ['48.00']);

    await shop.hook('woocommerce_delete_order', 7);
    await until(() => shop.api.asked.length === 1, { what: 'the store to be asked' });
    await shop.ends('recorded', ['48.00']);

    shop.known.order = null;
    await shop.hook('woocommerce_delete_order', 7);
    expect((await shop.ends('review', ['48.00'])).review?.code).toBe('removal.unproven');
  });

  test('with its refund, after it was refunded in full: nobody is asked', async () => {
    await using it = await world();
    await using shop = await startWooShop(it, { keys: false });
    await shop.send('order.updated', saved(5, whole));
    await shop.ends('removed', []);

    await shop.hook('woocommerce_delete_order', 7);
    await shop.hook('woocommerce_delete_order_refund', 8);
    await until(async () => Object.keys((await it.bridge.order(shop.connected, '7'))?.facts.withdrawn ?? {}).length, { what: 'the word about its refund' });

    await shop.ends('removed', []);
  });
});

describe('live 6: a trashed order is brought back by a status change', () => {
  const trash = saved(5, { status: 'trash' });

  test('under HPOS, with a key: the store is asked, and it is recorded again', async () => {
    await using it = await world();
    await using shop = await startWooShop(it, { settings: { removeWithoutRefund: 'remove' } });
    await shop.send('order.updated', saved(0));
    await shop.ends('recorded', ['48.00']);
    shop.known.order = trash;
    await shop.send('order.deleted', { id: 7 });
    await shop.ends('removed', []);

    shop.known.order = saved(9, { status: 'completed' });
    await shop.hook('woocommerce_order_status_changed', 7);

    await shop.ends('recorded', ['48.00']);
  });

  test('under HPOS, without a key: nothing can be known, and nothing is changed', async () => {
    await using it = await world();
    await using shop = await startWooShop(it, { keys: false });
    await shop.send('order.updated', saved(0));
    await shop.ends('recorded', ['48.00']);
    await shop.send('order.deleted', { id: 7 });
    const { revision } = await shop.ends('review', ['48.00']);

    await shop.hook('woocommerce_order_status_changed', 7);

    expect(await notes(it, 'action.woocommerce_order_status_changed')).toEqual([
      { outcome: 'ignored', detail: 'it does not say what the order is now, and there is no key to look it up' },
    ]);
    expect((await it.bridge.order(shop.connected, '7'))?.revision).toBe(revision);
  });

  test('with posts storage, where order.updated comes, too: with and without a key', async () => {
    await using it = await world();
    for (const keys of [true, false]) {
      await using shop = await startWooShop(it, { keys, settings: { removeWithoutRefund: 'remove' } });
      await shop.send('order.updated', trash);
      await it.bridge.settled(shop.connected, '7', 'removed');

      shop.known.order = saved(9, { status: 'completed' });
      await shop.hook('woocommerce_order_status_changed', '7');
      await shop.send('order.updated', shop.known.order);

      await it.bridge.settled(shop.connected, '7', 'recorded');
    }
  });
});

describe.each([
  ['in the admin', 'woocommerce_refund_deleted'],
  ['by code, with posts storage', 'woocommerce_delete_order_refund'],
])('live 6: a refund is deleted %s', (_where, name) => {
  test('with a key, the store is asked, and the whole sale is recorded again', async () => {
    await using it = await world();
    await using shop = await startWooShop(it);
    shop.known.refunds = [refundOf(1)];
    await shop.send('order.updated', saved(5, half));
    await shop.ends('recorded', ['24.00']);

    Object.assign(shop.known, { order: saved(5), refunds: [] });
    await shop.hook(name, 8);

    await shop.ends('recorded', ['48.00']);
  });

  test('with a key, nothing is changed by the word alone', async () => {
    await using it = await world();
    await using shop = await startWooShop(it);
    Object.assign(shop.known, { order: saved(5, half), refunds: [refundOf(1)] });
    await shop.send('order.updated', saved(5, half));
    const before = await shop.ends('recorded', ['24.00']);

    await shop.hook(name, 8);
    await until(() => shop.api.asked.some(({ path }) => !path.includes('/refunds')), { what: 'the order to be looked up' });

    expect((await shop.ends('recorded', ['24.00'])).complianceId).toBe(before.complianceId);
  });

  test('without a key a person is asked, the record stays, and saving the order clears it', async () => {
    await using it = await world();
    await using shop = await startWooShop(it, { keys: false });
    await shop.send('order.updated', saved(5, half));
    await shop.ends('recorded', ['24.00']);

    await shop.hook(name, '8');
    expect((await shop.ends('review', ['24.00'])).review?.code).toBe('refund.deleted');

    await shop.send('order.updated', saved(9));
    await shop.ends('recorded', ['48.00']);
  });

  test('the word of it waits until the delivery by which its order lists the refund is recorded', async () => {
    await using it = await world();
    await using shop = await startWooShop(it, { keys: false });
    await using roadblock = await blockAt(it.databaseUrl, 'merged');
    await shop.send('order.updated', saved(5, half));
    await roadblock.reached();
    await shop.hook(name, '8');
    // Its own job comes to an end meanwhile; if not, it finds the order at once.
    await setTimeout(1_000);
    await roadblock.lift();

    expect((await shop.ends('review', ['24.00'])).review?.code).toBe('refund.deleted');
  });
});
