import { describe, expect, test } from 'vitest';
import type { Failure } from '../../../../../src/bridge/order/facts/failure.ts';
import { api, subscriptions } from '../../../../../src/bridge/storefronts/woocommerce/api.ts';
import { alsoTopics, topics } from '../../../../../src/bridge/storefronts/woocommerce/normalize.ts';
import { startWooReader } from '../../../../support/servers/woo/read-woo.ts';

const ADDRESS = 'https://bridge.example/webhooks/woocommerce/c_1';

test('webhooks are a part of the API', () => expect(api.subscriptions).toBe(subscriptions));

describe('the webhooks of a store', () => {
  test('are listed whatever their state, with when they last tried to deliver', async () => {
    await using it = await startWooReader();
    const { webhooks, floor } = it.store;
    webhooks.add({ topic: 'order.updated', delivery_url: ADDRESS });
    webhooks.add({ topic: 'order.deleted', delivery_url: ADDRESS, status: 'paused' });
    webhooks.add({ topic: 'product.updated', delivery_url: 'https://other.example/', status: 'disabled' });
    webhooks.deliver = async () => null;
    floor.buy();
    it.clock.now += 5_000;
    await webhooks.runQueue();

    expect(await subscriptions.list(it.access('read'), it.means())).toEqual([
      { id: '1', topic: 'order.updated', address: ADDRESS, state: 'active', attemptedAt: '2026-11-22T10:00:05.000Z' },
      { id: '2', topic: 'order.deleted', address: ADDRESS, state: 'paused', attemptedAt: null },
      { id: '3', topic: 'product.updated', address: 'https://other.example/', state: 'disabled', attemptedAt: null },
    ]);
  });

  test('are listed page by page', async () => {
    await using it = await startWooReader();
    for (let n = 0; n < 250; n += 1) it.store.webhooks.add({ topic: 'order.updated' });

    expect(await subscriptions.list(it.access(), it.means())).toHaveLength(250);
    expect(it.store.asked).toHaveLength(3);
  });

  test('without end are a failure, not a loop', async () => {
    await using it = await startWooReader();
    for (let n = 0; n < 2_000; n += 1) it.store.webhooks.add({ topic: 'order.updated' });

    await expect(subscriptions.list(it.access(), it.means())).rejects.toThrow(/more than 2000 webhooks/);
    expect(it.store.asked).toHaveLength(20);
  });

  test('of a status that is not known are as if a person had paused them', async () => {
    await using it = await startWooReader();
    Object.assign(it.store.webhooks.add({ topic: 'order.updated' }), { status: 'sleeping', date_modified_gmt: 'soon' });

    expect(await subscriptions.list(it.access(), it.means())).toMatchObject([{ state: 'paused', attemptedAt: null }]);
  });
});

describe('a new webhook', () => {
  test.each([...topics, ...alsoTopics])('of %s is made, active and with its secret', async (topic) => {
    await using it = await startWooReader();
    const pings: string[] = [];
    it.store.webhooks.deliver = async ({ body }) => {
      pings.push(body);
      return 200;
    };
    const secret = subscriptions.newSecret();
    const made = await subscriptions.create(it.access(), { topic, address: ADDRESS, secret }, it.means());

    expect(made).toEqual({ id: '1', topic, address: ADDRESS, state: 'active', attemptedAt: null });
    expect(it.store.webhooks.all.get(1)).toMatchObject({ name: `orderbridge ${topic}`, secret });
    expect(pings).toEqual(['webhook_id=1']);
  });

  test('begins with no failures, unlike one that is made active again', async () => {
    await using it = await startWooReader();
    const old = it.store.webhooks.add({ topic: 'order.updated', delivery_url: ADDRESS, status: 'disabled', failures: 6 });
    it.store.webhooks.deliver = async () => null;
    const made = await subscriptions.create(it.access(), { topic: 'order.updated', address: ADDRESS, secret: null }, it.means());
    await subscriptions.remove(it.access(), String(old.id), it.means());
    it.store.floor.buy();
    await it.store.webhooks.runQueue();

    expect((await subscriptions.list(it.access(), it.means())).map(({ id, state }) => ({ id, state }))).toEqual([{ id: made.id, state: 'active' }]);
  });

  test('is not made with a key that may only read', async () => {
    await using it = await startWooReader();
    const making = subscriptions.create(it.access('read'), { topic: 'order.updated', address: ADDRESS, secret: 'hush' }, it.means());

    await expect(making).rejects.toThrow(/answered 401: its REST key may only read; make one with Read\/Write rights/);
    await expect(making).rejects.toMatchObject({ name: 'Failure', code: 'storefront.refused' } satisfies Partial<Failure>);
  });

  test.each([
    [{ status: 404, body: { code: 'woocommerce_rest_shop_webhook_invalid_id' } }, /answer is not WooCommerce’s/],
    [
      { status: 400, body: { code: 'woocommerce_rest_shop_webhook_invalid_delivery_url' } },
      /does not take the request \(woocommerce_rest_shop_webhook_invalid/,
    ],
  ])('that the store does not make is a failure without its secret (%j)', async (answer, words) => {
    await using it = await startWooReader();
    it.store.host.intercept = () => answer;
    const making = subscriptions.create(it.access(), { topic: 'order.updated', address: ADDRESS, secret: 'hush' }, it.means());

    await expect(making).rejects.toThrow(words);
    await expect(making).rejects.not.toThrow(/hush|cs_write/);
  });
});

test('a webhook is removed; one that is gone already is fine', async () => {
  await using it = await startWooReader();
  it.store.webhooks.add({ topic: 'order.updated' });

  await subscriptions.remove(it.access(), '1', it.means());
  await subscriptions.remove(it.access(), '1', it.means());
  expect(it.store.webhooks.all.size).toBe(0);
});

test('a new secret is one that no form of WordPress changes, and another each time', () => {
  const made = Array.from({ length: 20 }, () => subscriptions.newSecret());

  expect(made.every((secret) => /^[A-Za-z0-9]{50}$/.test(secret))).toBe(true);
  expect(new Set(made).size).toBe(20);
  expect(subscriptions.hasSecrets).toBe(true);
});

test.each([
  ['order.created', 'Topic “Order created”'],
  ['action.woocommerce_delete_order', 'Topic “Action” with the action event woocommerce_delete_order'],
])('the steps for %s are in the words of the admin’s forms', (topic, words) => {
  const steps = subscriptions.steps({ topic, address: ADDRESS });

  for (const part of [words, 'Status “Active”', `Delivery URL ${ADDRESS}`, 'API version “WP REST API Integration v3”']) expect(steps).toContain(part);
});
