import { describe, expect, test } from 'vitest';
import { orderText } from '../../../../src/cli/text/order-text.ts';
import { wordsIn } from '../../../../src/console/messages/messages.ts';
import { sentence } from '../../../../src/console/pages/order/sentence.ts';
import { readOrderDetail } from '../../../../src/operations/order-detail/order-detail.ts';
import { showOrder } from '../../../../src/operations/orders/show-order.ts';
import { keyError, type WooAnswer } from '../../../support/servers/woo/woo-answer.ts';
import { closures } from '../../../support/servers/woo/woo-site.ts';
import type { Connected } from '../../../support/worlds/bridge.ts';
import { startLiveWooStore } from '../../../support/worlds/live-woo-store.ts';
import { until } from '../../../support/worlds/settled.ts';
import { totals, useWorlds, type World } from '../../../support/worlds/world.ts';

const world = useWorlds();

/** The time of each pause passes. */
async function endsWaiting({ bridge }: World, isDone: () => boolean): Promise<void> {
  const look = async () => {
    await bridge.pool.query('update store_calls set until = now()');
    await bridge.pool.query('update orders set due_at = now()');
    return isDone();
  };
  await until(look, { what: 'the order to go on' });
}

/** The command says since when it waits for its store, and the page in both languages. */
async function saysThatItWaits({ bridge }: World, { connection }: Connected, orderId: string): Promise<void> {
  const { pool, connections } = bridge.app.core;
  const { id, pause, ...report } = await showOrder({ pool, connections }, { connectionId: connection.id, orderId });
  expect(pause).toMatchObject({ code: expect.stringMatching(/^storefront\.(unreachable|refused)$/), since: expect.any(String) });
  expect(orderText({ id, pause, ...report }).join('\n')).toMatch(
    /queued, paused: its record depends on what the store’s API must say, .* since .* after six hours a person is asked/,
  );
  const sheet = await readOrderDetail({ pool, connections }, id, null);
  if (sheet === null) throw new Error('the page of the order is missing');
  expect(sentence(sheet, wordsIn('en')).markup).toMatch(/^Waits for its store: .* Waiting since <time/);
  expect(sentence(sheet, wordsIn('bg')).markup).toMatch(/^Чака магазина си: .* Чака от <time/);
}

describe('live L1: a store whose API can’t be reached', () => {
  test.each<[string, WooAnswer]>([
    ['503', closures.maintenance],
    ['401, as the key was revoked', keyError('Consumer key is invalid.')],
    ['301, as the store moved', { status: 301, headers: { location: 'https://novo.example.invalid/' }, body: '' }],
  ])('records its paid orders at once, and keeps partial refunds waiting: %s', async (_what, answer) => {
    await using it = await world();
    await using shop = await startLiveWooStore(it);
    shop.answersWith(answer);

    const id = await shop.sell();
    await it.bridge.settled(shop.connected, id, 'recorded');
    expect(totals(it.service, id)).toEqual(['24.00']);
    expect(shop.single()).toEqual([]);

    shop.floor.refund(Number(id), { cents: 1000 });
    await shop.webhooks.runQueue();
    await until(() => shop.single().length > 0, { what: 'the lines of the refund to be asked for' });
    expect(await it.bridge.order(shop.connected, id)).toMatchObject({ state: 'queued', review: null });
    expect(totals(it.service, id)).toEqual(['24.00']);
    await saysThatItWaits(it, shop.connected, id);

    shop.answersWith(null);
    await endsWaiting(it, () => totals(it.service, id).join() === '14.00');
  });

  test('a trashed order that comes back by a change of status is recorded once the store answers again', async () => {
    await using it = await world();
    await using shop = await startLiveWooStore(it, { settings: { removeWithoutRefund: 'remove' } });
    const id = await shop.sell();
    await it.bridge.settled(shop.connected, id, 'recorded');
    shop.floor.trash(Number(id));
    await shop.webhooks.runQueue();
    await it.bridge.settled(shop.connected, id, 'removed');

    shop.answersWith(closures.maintenance);
    shop.floor.setStatus(Number(id), 'processing');
    await shop.webhooks.runQueue();
    await until(async () => (await it.bridge.order(shop.connected, id))?.state === 'queued', { what: 'the order to wait for its store' });
    expect(totals(it.service, id)).toEqual([]);

    shop.answersWith(null);
    await endsWaiting(it, () => totals(it.service, id).join() === '24.00');
    await it.bridge.settled(shop.connected, id, 'recorded');
  });
});

test('live L1: fifty ordinary sales cost no request of a single order, whichever webhook of each comes first', async () => {
  await using it = await world();
  await using shop = await startLiveWooStore(it);
  const ids = Array.from({ length: 50 }, () => shop.floor.buy({ paid: false }).id);
  for (const id of ids) shop.floor.pay(id);
  for (const [nth, queued] of shop.webhooks.queue.entries())
    if (nth % 3 === 0) shop.webhooks.queue.unshift(...shop.webhooks.queue.splice(shop.webhooks.queue.lastIndexOf(queued), 1));

  await shop.webhooks.runQueue();

  for (const id of ids) await it.bridge.settled(shop.connected, String(id), 'recorded');
  expect(it.service.records).toHaveLength(50);
  expect(shop.single()).toEqual([]);
});

describe('live L1: what a store’s word alone says is found by the next reading', () => {
  const reading = { config: { reconcileSeconds: 1 } };

  test('a cancellation whose order.updated was lost', async () => {
    await using it = await world(reading);
    const clock = { ahead: -60_000 };
    await using shop = await startLiveWooStore(it, { now: () => Date.now() + clock.ahead });
    const id = await shop.sell();
    await it.bridge.settled(shop.connected, id, 'recorded');

    clock.ahead = 0;
    shop.floor.setStatus(Number(id), 'cancelled');
    shop.webhooks.deliver = async (delivery, post) => (delivery.topic === 'order.updated' ? 200 : post(delivery));
    await shop.webhooks.runQueue();

    expect((await it.bridge.settled(shop.connected, id, 'review')).review?.code).toBe('removal.unproven');
    expect(shop.single()).toEqual([]);
  });

  test('an order that was not known', async () => {
    await using it = await world(reading);
    await using shop = await startLiveWooStore(it);
    shop.webhooks.deliver = async (delivery, post) => (delivery.topic.startsWith('order.') ? 200 : post(delivery));

    const id = await shop.sell();

    await it.bridge.settled(shop.connected, id, 'recorded');
    expect(totals(it.service, id)).toEqual(['24.00']);
  });

  test('of several at once by one request, even if their time of change stands still, and one that is gone', async () => {
    await using it = await world(reading);
    const { pool } = it.bridge;
    const clock = { ago: 3 * 3_600_000 };
    await using shop = await startLiveWooStore(it, { now: () => Date.now() - clock.ago });
    const [cancelled, gone, same] = [await shop.sell(), await shop.sell(), await shop.sell()];
    for (const id of [cancelled, gone, same]) await it.bridge.settled(shop.connected, id, 'recorded');
    clock.ago = 3_600_000;
    const last = await shop.sell();
    const anHourAgo = new Date(Date.now() - 1.5 * 3_600_000).toISOString();
    const passed = async () => (await pool.query('select from store_syncs where watermark > $1', [anHourAgo])).rowCount === 1;
    await until(passed, { what: 'the list to be read beyond the three' });
    await it.bridge.settled(shop.connected, last, 'recorded');

    // No list tells of it: another clock, or a change below WooCommerce.
    shop.floor.order(Number(cancelled)).status = 'cancelled';
    shop.floor.orders.delete(Number(gone));
    const before = shop.store.asked.length;
    await pool.query(
      `update order_facts set facts = facts || jsonb_build_object('changedAt', to_char((now() - interval '2 minutes') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'snapshotSeenAt', to_char((now() - interval '9 minutes') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
    );

    await it.bridge.settled(shop.connected, cancelled, 'review');
    expect((await it.bridge.settled(shop.connected, gone, 'review')).review?.code).toBe('removal.unproven');
    await it.bridge.settled(shop.connected, same, 'recorded');
    const asked = shop.store.asked.slice(before).flatMap(({ path }) => /include=([\d,]+)/.exec(path)?.[1] ?? []);
    expect(asked).toContain([cancelled, gone, same, last].join(','));
    expect(shop.single().every((path) => path.includes(`/orders/${gone}`))).toBe(true);
  });
});
