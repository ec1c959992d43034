import { describe, expect, test } from 'vitest';
import { mergeOrder, splitOrder } from '../../../../src/operations/orders/split-or-merge.ts';
import { addressOf, postWoo } from '../../../support/samples/signed-webhooks.ts';
import { wooLine, wooOrder } from '../../../support/samples/woo-order.ts';
import { type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { type OwnShop, ownShop, standingIn } from '../../../support/worlds/own-service.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import type { World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
const notifyNobody = async (): Promise<void> => undefined;

type Sale = { minute: number; name: string; total: string };

/** An own shop’s order 700 of one piece, placed and paid at a minute of 1 November; nothing in it is another one’s. */
function sale(id: string, { minute, name, total }: Sale, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const at = `2026-11-01T10:${minute}:00Z`;
  const lines = [{ id: `line-${name}`, name, quantity: 1, amount: total, vatRate: '20' }];
  return orderOf(id, { createdAt: at, updatedAt: at, paidAt: at, total, lines, payment: { method: 'stripe', transactionId: `pi_${name}` }, ...changes });
}

const coat = (changes = {}) => sale('700', { minute: 10, name: 'coat', total: '120.00' }, changes);
const cap = (changes = {}) => sale('700', { minute: 50, name: 'cap', total: '12.00' }, changes);

/** WooCommerce’s order 700; its bodies name no key. */
function wooSale({ day, name, net }: { day: string; name: string; net: number }, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const at = `2026-11-${day}T10:00:00`;
  const money = { subtotal: net.toFixed(2), total: net.toFixed(2), subtotal_tax: (net / 5).toFixed(2), total_tax: (net / 5).toFixed(2) };
  const line = wooLine({ id: net, name, ...money, taxes: [{ id: 1, total: money.total_tax, subtotal: money.total_tax }] });
  const dates = { date_created_gmt: at, date_modified_gmt: at, date_paid_gmt: at };
  return wooOrder({ id: 700, number: '700', ...dates, total: (net * 1.2).toFixed(2), transaction_id: `ch_${name}`, line_items: [line], ...changes });
}

const mariasCoat = wooSale({ day: '05', name: 'coat', net: 100 });
const ivansCap = wooSale({ day: '06', name: 'cap', net: 10 });

async function sendWoo(it: World, connected: Connected, body: object): Promise<void> {
  expect((await postWoo(addressOf(it.bridge.app.url, connected), { topic: 'order.updated', body, secret: connected.secret })).status).toBe(200);
}

/** A shop of our own service, and one store of it in which the coat is recorded and the cap came under the same id. */
async function askedAbout(it: World): Promise<{ shop: OwnShop; connected: Connected }> {
  const shop = await ownShop(it);
  const connected = await it.bridge.connect({ shopId: shop.shopId });
  await it.bridge.send(connected, 'order.paid', { order: coat() });
  await it.bridge.settled(connected, '700', 'recorded');
  await it.bridge.send(connected, 'order.paid', { order: cap() });
  await it.bridge.settled(connected, '700~2', 'review');
  return { shop, connected };
}

describe('A4 A: WordPress is restored from yesterday’s backup, and its ids go back', () => {
  async function restored(it: World): Promise<{ shop: OwnShop; connected: Connected }> {
    const shop = await ownShop(it);
    const connected = await it.bridge.connect({ platform: 'woocommerce', shopId: shop.shopId });
    await sendWoo(it, connected, mariasCoat);
    await it.bridge.settled(connected, '700', 'recorded');
    await sendWoo(it, connected, ivansCap);
    const asked = await it.bridge.settled(connected, '700~2', 'review');

    expect(await standingIn(it, shop)).toEqual(['700: 120.00']);
    expect(asked.review).toEqual({
      code: 'order.other',
      detail: expect.stringMatching(
        /^The order 700 \(id:\d+\) was placed at 2026-11-05T10:00:00Z for 120\.00 EUR; this one was placed at 2026-11-06T10:00:00Z for 12\.00 EUR/,
      ),
    });
    return { shop, connected };
  }

  test('Maria’s 120.00 stands, a person is asked about Ivan’s 12.00; --other: both stand', async () => {
    await using it = await world({ embeddedService: true });
    const { shop, connected } = await restored(it);

    expect(await splitOrder({ pool: it.bridge.pool, notify: notifyNobody }, '700')).toEqual({ orderId: '700~2' });

    await it.bridge.settled(connected, '700~2', 'recorded');
    expect(await standingIn(it, shop)).toEqual(['700: 120.00', '700~2: 12.00']);
    expect(await it.bridge.order(connected, '700')).toMatchObject({ customer: { kind: 'known', customer: { firstName: 'Мария' } }, revision: 1 });
  });

  test('--same: the sale is replaced, and both are one order from then on', async () => {
    await using it = await world({ embeddedService: true });
    const { shop, connected } = await restored(it);

    expect(await mergeOrder({ pool: it.bridge.pool, notify: notifyNobody }, '700~2')).toEqual({ orderId: '700' });

    await until(async () => (await standingIn(it, shop)).join() === '700: 12.00', { what: 'the record to be replaced' });
    const one = await it.bridge.settled(connected, '700', 'recorded');
    expect(await it.bridge.order(connected, '700~2')).toBeNull();
    await sendWoo(it, connected, { ...mariasCoat, date_modified_gmt: '2026-11-07T10:00:00' });
    await until(async () => (await standingIn(it, shop)).join() === '700: 120.00', { what: 'the newest state to be recorded' });
    expect((await it.bridge.settled(connected, '700', 'recorded')).id).toBe(one.id);
  });
});

test('A4: where both orders have WooCommerce’s key, it alone decides', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ platform: 'woocommerce' });
  await sendWoo(it, connected, { ...mariasCoat, order_key: 'wc_order_maria' });
  await it.bridge.settled(connected, '700', 'recorded');

  // A copy of the line and of the payment is no longer enough to take the sale’s place; another moment is no longer enough to be another sale.
  await sendWoo(it, connected, { ...mariasCoat, order_key: 'wc_order_ivan', date_modified_gmt: '2026-11-06T10:00:00' });
  await it.bridge.settled(connected, '700~2', 'review');
  await sendWoo(it, connected, { ...ivansCap, order_key: 'wc_order_maria', date_modified_gmt: '2026-11-07T10:00:00' });
  await until(async () => (await it.bridge.order(connected, '700'))?.record?.lineItems[0]?.name === 'cap', { what: 'the edit to be recorded' });

  expect(await it.bridge.order(connected, '700~3')).toBeNull();
});

test('A4 B: a shop is rebuilt on another platform: the current record is named, and --other records the new sale beside it', async () => {
  await using it = await world({ embeddedService: true });
  const shop = await ownShop(it);
  const before = await it.bridge.connect({ platform: 'woocommerce', shopId: shop.shopId });
  await sendWoo(it, before, mariasCoat);
  const old = await it.bridge.settled(before, '700', 'recorded');
  await it.bridge.app.core.connections.close(before.connection.id);
  const after = await it.bridge.connect({ shopId: shop.shopId });

  await it.bridge.send(after, 'order.paid', { order: cap() });

  const { review } = await it.bridge.settled(after, '700', 'review');
  const whose = `It is the record of the order 700 (id:${old.id}) of this ledger, made from the connection ${before.connection.id}: leave it there`;
  expect(review).toEqual({ code: 'compliance.conflict', detail: expect.stringContaining(`(its id there: ${old.complianceId}). ${whose}`) });
  expect(await splitOrder({ pool: it.bridge.pool, notify: notifyNobody }, '700')).toEqual({ orderId: '700~2' });
  await it.bridge.settled(after, '700~2', 'recorded');
  expect(await standingIn(it, shop)).toEqual(['700: 120.00', '700~2: 12.00']);

  // Later news names the platform’s id.
  await it.bridge.send(after, 'order.updated', { order: cap({ updatedAt: '2026-11-01T11:00:00Z', total: '13.00', lines: [line('13.00')] }) });
  await until(async () => (await standingIn(it, shop)).join() === '700: 120.00,700~2: 13.00', { what: 'the edit to be recorded' });
});

test('A4 B: a record that this ledger did not make is not called its own', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  it.service.next('create', { status: 409, body: { id: 'elsewhere', title: 'it is recorded' } });

  await it.bridge.send(connected, 'order.paid', { order: cap() });

  const { review } = await it.bridge.settled(connected, '700', 'review');
  expect(review?.code).toBe('compliance.conflict');
  expect(review?.detail).not.toContain('this ledger');
  // It is this very order’s id at the service that is taken: the order gets another one.
  await splitOrder({ pool: it.bridge.pool, notify: notifyNobody }, '700');
  await it.bridge.settled(connected, '700~2', 'recorded');
  expect(it.service.current('700~2')).toHaveLength(1);
});

test('A4 C: an own shop is rebuilt, with ids from 1, and connected under a new name: the older sale stands', async () => {
  await using it = await world({ embeddedService: true });
  const shop = await ownShop(it);
  const before = await it.bridge.connect({ name: 'old shop', shopId: shop.shopId });
  await it.bridge.send(before, 'order.paid', { order: sale('1', { minute: 10, name: 'coat', total: '120.00' }) });
  await it.bridge.settled(before, '1', 'recorded');
  await it.bridge.app.core.connections.close(before.connection.id);
  const after = await it.bridge.connect({ name: 'new shop', shopId: shop.shopId });

  await it.bridge.send(after, 'order.paid', { order: sale('1', { minute: 50, name: 'cap', total: '12.00' }) });

  expect((await it.bridge.settled(after, '1~2', 'review')).review?.code).toBe('order.other');
  expect(await standingIn(it, shop)).toEqual(['1: 120.00']);
  await splitOrder({ pool: it.bridge.pool, notify: notifyNobody }, '1~2');
  await it.bridge.settled(after, '1~2', 'recorded');
  expect(await standingIn(it, shop)).toEqual(['1: 120.00', '1~2: 12.00']);
});

describe('two sales of one id', () => {
  test('each get their own edits and refunds', async () => {
    await using it = await world({ embeddedService: true });
    const { shop, connected } = await askedAbout(it);
    await splitOrder({ pool: it.bridge.pool, notify: notifyNobody }, '700');
    await it.bridge.settled(connected, '700~2', 'recorded');

    const at = '2026-11-01T11:00:00Z';
    await it.bridge.send(connected, 'order.updated', { order: cap({ updatedAt: at, total: '10.00', lines: [line('10.00')] }) });
    await until(async () => (await standingIn(it, shop)).join() === '700: 120.00,700~2: 10.00', { what: 'the edit to be recorded' });
    await it.bridge.send(connected, 'order.refunded', { order: coat({ updatedAt: at, refunds: [{ id: 'r1', at, amount: '120.00' }] }) });
    await it.bridge.settled(connected, '700', 'removed');

    expect(await standingIn(it, shop)).toEqual(['700~2: 10.00']);
  });

  test('are both known while nobody has decided, and the question outlives news of the second', async () => {
    await using it = await world({ embeddedService: true });
    const { shop, connected } = await askedAbout(it);
    const asked = await it.bridge.settled(connected, '700~2', 'review');

    await it.bridge.send(connected, 'order.updated', { order: cap({ updatedAt: '2026-11-01T11:00:00Z', total: '10.00', lines: [line('10.00')] }) });
    await until(async () => ((await it.bridge.order(connected, '700~2'))?.revision ?? 0) === 2, { what: 'the edit to be merged' });

    expect(await it.bridge.settled(connected, '700~2', 'review')).toMatchObject({ review: asked.review, facts: { snapshot: { total: '10.00' } } });
    expect(await standingIn(it, shop)).toEqual(['700: 120.00']);
  });

  test('whose moment alone was rewritten are one: nobody is asked', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await it.bridge.send(connected, 'order.paid', { order: coat() });
    await it.bridge.settled(connected, '700', 'recorded');

    await it.bridge.send(connected, 'order.updated', {
      order: { ...coat({ createdAt: '2026-11-01T08:00:00Z', updatedAt: '2026-11-01T11:00:00Z' }), number: '#7' },
    });

    await until(() => it.service.current('700')[0]?.dto.internalNumber === '#7', { what: 'the edit to be recorded' });
    expect(await it.bridge.order(connected, '700~2')).toBeNull();
  });
});

function line(amount: string) {
  return { id: 'line-cap', name: 'cap', quantity: 1, amount, vatRate: '20' };
}
