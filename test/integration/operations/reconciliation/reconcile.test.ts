import { expect, test } from 'vitest';
import { openService } from '../../../../src/app/embedded-service.ts';
import type { Connection } from '../../../../src/bridge/connections/connection.ts';
import type { SettingsInput } from '../../../../src/bridge/connections/connection-settings.ts';
import { UnreadableStore } from '../../../../src/bridge/reconciliation/open-readable-store.ts';
import type { ReadableStore } from '../../../../src/bridge/reconciliation/read-page.ts';
import type { SoughtOrder } from '../../../../src/bridge/storefronts/store-reader.ts';
import { makeMonth } from '../../../../src/operations/months/make-month.ts';
import { recordedOrdersOf } from '../../../../src/operations/service/recorded-orders.ts';
import { addMonths } from '../../../../src/service/law/calendar.ts';
import { BY } from '../../../support/samples/by.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { useClearedWorlds } from '../../../support/worlds/cleared-world.ts';
import { ListedShop } from '../../../support/worlds/listed-shop.ts';
import { ownShop, standingIn } from '../../../support/worlds/own-service.ts';
import { reconciled } from '../../../support/worlds/reconciled-world.ts';
import { edited, later, refundedInFull } from '../../../support/worlds/world.ts';

const world = useClearedWorlds();
const window = { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' };

/** Its orders can be listed, but not be read whole. */
class HalfReadShop extends ListedShop {
  override opened(connection: Connection): ReadableStore {
    return { ...super.opened(connection), ordersById: () => Promise.reject(new UnreadableStore('failed', 'storefront.unreachable: the store answered 503')) };
  }
}

/** Its list names orders that it does not show. */
class HidingShop extends ListedShop {
  override opened(connection: Connection): ReadableStore {
    const ordersById = async (sought: readonly SoughtOrder[]) => ({ news: [], gone: [], unknown: sought.map(({ orderId }) => orderId) });
    return { ...super.opened(connection), ordersById };
  }
}

/** Its answers are none that its storefront can read. */
class BrokenShop extends ListedShop {
  override opened(connection: Connection): ReadableStore {
    return { ...super.opened(connection), changedSince: () => Promise.reject(new TypeError('no such field')) };
  }
}

/** It lists what it deleted by id and time alone, as own shops do. */
class OutliningShop extends ListedShop {
  readonly deleted: string[] = [];

  override opened(connection: Connection): ReadableStore {
    const opened = super.opened(connection);
    const states = { status: 'deleted', lifecycle: 'trashed', payment: 'unpaid', test: false, currency: '', total: '0', kept: null, refundIds: null } as const;
    const outlines = this.deleted.map((orderId) => ({ orderId, number: orderId, ...states, isGone: true as const, updatedAt: later(9), soldAt: later(9) }));
    return {
      ...opened,
      changedSince: async (query) => {
        const page = await opened.changedSince(query);
        return { ...page, summaries: [...page.summaries, ...outlines] };
      },
    };
  }
}

async function stage(settings: SettingsInput = {}) {
  const it = await world({ embeddedService: true });
  const service = await ownShop(it);
  const connected = await it.bridge.connect({ shopId: service.shopId, settings });
  const shop = new ListedShop();
  const told = async (order: Record<string, unknown>) => {
    await it.bridge.send(connected, 'order.updated', { order: shop.save(order) });
    await it.bridge.settled(connected, String(order['id']), 'recorded');
  };
  return { it, service, connected, shop, told, [Symbol.asyncDispose]: () => it[Symbol.asyncDispose]() };
}

test('orders that nobody told of, that changed, and that were deleted are found and repaired', async () => {
  await using at = await stage();
  const { it, service, connected, shop, told } = at;
  for (const id of ['1', '2', '3', '4']) await told(orderOf(id));
  shop.save(orderOf('5'));
  shop.save(edited('2', 5, '30.00'));
  shop.save(refundedInFull('3', 6));
  shop.orders.delete('4');

  const found = await reconciled(it.bridge, connected, { shop, dryRun: true, ...window });
  expect(found.kinds).toEqual(['2 stale-here', '3 stale-here', '4 gone-there', '5 unknown-here']);
  expect(found).toMatchObject({ repaired: 0, currency: 'EUR', store: { orders: 3, total: '126.00' }, ledger: { orders: 4, total: '192.00' } });
  expect(await it.bridge.order(connected, '5')).toBeNull();

  const left = await reconciled(it.bridge, connected, { shop, ...window });
  expect(left.kinds).toEqual(['4 not-recorded removal.unproven']);
  expect(left).toMatchObject({ repaired: 3, store: { orders: 3, total: '126.00' }, ledger: { orders: 4 }, service: { orders: 4 }, isWhole: true });
  expect(await standingIn(it, service)).toEqual(['1: 48.00', '2: 30.00', '4: 48.00', '5: 48.00']);
});

test('unpaid orders, test orders and those from before count on no side', async () => {
  await using at = await stage();
  const { it, connected, shop, told } = at;
  await told(orderOf('1'));
  shop.save(orderOf('2', { status: 'pending', paidAt: null }));
  shop.save(orderOf('3', { test: true }));
  const sides = { orders: 1, total: '48.00' };

  const found = await reconciled(it.bridge, connected, { shop, dryRun: true, ...window });
  expect(found).toMatchObject({ differences: [], store: sides, ledger: sides, service: sides, file: null });
});

test('an order that was left out by settings that have changed since is decided again', async () => {
  await using at = await stage({ recordFrom: '2026-11-20T00:00:00Z' });
  const { it, service, connected, shop } = at;
  const { connections } = it.bridge.app.core;
  await it.bridge.send(connected, 'order.updated', { order: shop.save(orderOf('1')) });
  await it.bridge.settled(connected, '1', 'ignored');
  // Whoever changed them died before its orders were decided again.
  const edit = () => ({ ...connected.connection.settings, recordFrom: '2026-10-01T00:00:00Z' });
  await connections.changeSettings(connected.connection.id, { by: BY, edit });

  expect((await reconciled(it.bridge, connected, { shop, dryRun: true, ...window })).kinds).toEqual(['1 not-recorded']);
  expect(await reconciled(it.bridge, connected, { shop, ...window })).toMatchObject({ kinds: [], repaired: 1 });
  expect(await standingIn(it, service)).toEqual(['1: 48.00']);
});

test('an order that waits for a person is named with its code', async () => {
  await using at = await stage();
  const { it, connected, shop } = at;
  shop.save(orderOf('1', { payment: { method: 'barter' } }));

  const left = await reconciled(it.bridge, connected, { shop, ...window });
  expect(left.kinds).toEqual(['1 not-recorded payment.unmapped']);
  expect(left.differences).toMatchObject([{ total: '48.00', number: '#1', detail: expect.stringContaining('orderbridge settings') }]);
});

test('so is one that was deleted before it was recorded, with what the store said of it before', async () => {
  await using at = await stage();
  const { it, connected } = at;
  const shop = new OutliningShop();
  await it.bridge.send(connected, 'order.updated', { order: shop.save(orderOf('1', { payment: { method: 'barter' } })) });
  await it.bridge.settled(connected, '1', 'review');
  shop.orders.delete('1');
  shop.deleted.push('1');

  const left = await reconciled(it.bridge, connected, { shop, dryRun: true, ...window });
  expect(left).toMatchObject({ currency: 'EUR', kinds: ['1 gone-there payment.unmapped'], differences: [{ total: '48.00', number: '#1' }] });
});

test('a record that only the service has is named; one that it lost is made again', async () => {
  await using at = await stage();
  const { it, service, connected, shop, told } = at;
  await told(orderOf('1'));
  const { complianceId } = (await it.bridge.order(connected, '1')) ?? {};
  await service.call('DELETE', `/order/${complianceId}`);
  const { record } = (await it.bridge.order(connected, '1')) ?? {};
  const lines = [{ name: 'Чаша', quantity: 1, price: 12, discount: 0, vatRate: 20, vatGroup: 'GROUP_B' }];
  await service.call('POST', '/order', {
    body: { ...record, internalId: 'by hand', paymentProcessorName: 'Stripe', transactionId: 'pi', lineItems: lines, shopId: service.shopId },
  });

  expect((await reconciled(it.bridge, connected, { shop, dryRun: true, ...window })).kinds).toEqual(['1 not-recorded', 'by hand record-unknown']);
  expect((await reconciled(it.bridge, connected, { shop: null, ...window })).kinds).toEqual(['1 not-recorded', 'by hand record-unknown']);
  expect((await reconciled(it.bridge, connected, { shop, ...window })).kinds).toEqual(['by hand record-unknown']);
  expect(await standingIn(it, service)).toEqual(['1: 48.00', 'by hand: 12.00']);
});

test('without access to the store the others are compared, and it is said why', async () => {
  await using at = await stage();
  const { it, connected, told } = at;
  await told(orderOf('1'));
  const sides = { orders: 1, total: '48.00' };

  const found = await reconciled(it.bridge, connected, { shop: null, ...window });
  expect(found).toMatchObject({ store: null, ledger: sides, service: sides, differences: [], isWhole: false });
  expect(found.unchecked).toEqual([expect.stringContaining(`orderbridge reconnect ${connected.connection.id}`)]);
});

test('orders that the store no longer shows are not taken as deleted', async () => {
  await using at = await stage();
  const { it, connected, shop, told } = at;
  await told(orderOf('1', { updatedAt: later(1) }));
  shop.orders.delete('1');
  shop.hidden.add('1');

  const found = await reconciled(it.bridge, connected, { shop, ...window });
  expect(found).toMatchObject({ differences: [], unchecked: [expect.stringContaining('60 days')] });
});

test('that orders before a moment are hidden from the key is said where the window begins before it', async () => {
  await using at = await stage();
  const { it, connected, shop } = at;
  shop.since = '2026-11-01T00:00:00.000Z';

  expect((await reconciled(it.bridge, connected, { shop, dryRun: true, ...window })).unchecked).toEqual([]);
  const earlier = await reconciled(it.bridge, connected, { shop, dryRun: true, ...window, from: '2026-10-31T23:00:00Z' });
  expect(earlier.unchecked).toEqual([expect.stringMatching(/2026-11-01T00:00:00.000Z are hidden from the key.*60 days/)]);
});

test('a store that stops answering while it is repaired is said, and the differences are left', async () => {
  await using at = await stage();
  const { it, connected, told } = at;
  await told(orderOf('1'));
  const shop = new HalfReadShop();
  for (const id of ['1', '2']) shop.save(orderOf(id));

  const began = performance.now();
  const left = await reconciled(it.bridge, connected, { shop, ...window });
  expect(left).toMatchObject({ kinds: ['2 unknown-here'], store: { orders: 2 }, ledger: { orders: 1 }, repaired: 0, isWhole: false });
  expect(left.unchecked).toEqual([expect.stringContaining('the store answered 503')]);
  // It does not wait for what will not come: of the 20 s that it may.
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('orders that can be listed, but not read, are named', async () => {
  await using at = await stage();
  const { it, connected, told } = at;
  await told(orderOf('1'));
  const shop = new HidingShop();
  for (const id of ['1', '2']) shop.save(orderOf(id));

  const left = await reconciled(it.bridge, connected, { shop, ...window });
  expect(left).toMatchObject({ kinds: ['2 unknown-here'], isWhole: false, unchecked: ['orders that the store lists could not be read whole: 2'] });
});

test('a reader that breaks is its store’s failure alone', async () => {
  await using at = await stage();
  const { it, connected, told } = at;
  await told(orderOf('1'));

  const found = await reconciled(it.bridge, connected, { shop: new BrokenShop(), ...window });
  expect(found).toMatchObject({ store: null, ledger: { orders: 1 }, service: { orders: 1 }, isWhole: false });
  expect(found.unchecked).toEqual(['the store could not be read: internal.unexpected: an error in orderbridge (no such field)']);
});

test('an order that was paid in the month after it was placed belongs to the month of the service', async () => {
  await using at = await stage();
  const { it, connected, shop } = at;
  const paid = { createdAt: '2026-10-31T10:00:00Z', paidAt: '2026-11-02T10:00:00Z', updatedAt: '2026-11-02T10:00:00Z' };
  await it.bridge.send(connected, 'order.updated', { order: shop.save(orderOf('1', { ...paid, payment: { method: 'barter' } })) });
  await it.bridge.settled(connected, '1', 'review');

  expect((await reconciled(it.bridge, connected, { shop, dryRun: true, month: '2026-10' })).kinds).toEqual(['1 not-recorded payment.unmapped']);
  expect((await reconciled(it.bridge, connected, { shop, dryRun: true, month: '2026-11' })).kinds).toEqual([]);
});

test('an order that nobody told of, and that was paid in the month after it was placed, is of the month in which it was placed', async () => {
  await using at = await stage();
  const { it, connected, shop } = at;
  shop.save(orderOf('1', { createdAt: '2026-10-31T10:00:00Z', paidAt: '2026-11-02T10:00:00Z', updatedAt: '2026-11-02T10:00:00Z' }));

  expect((await reconciled(it.bridge, connected, { shop, dryRun: true, month: '2026-10' })).kinds).toEqual(['1 unknown-here']);
  expect((await reconciled(it.bridge, connected, { shop, dryRun: true, month: '2026-11' })).kinds).toEqual([]);
});

test('a month is compared with the newest version of its file', async () => {
  await using at = await stage();
  const { it, service, connected, shop, told } = at;
  for (const id of ['1', '2']) await told(orderOf(id));
  const [first] = (await recordedOrdersOf(it.bridge, { shop: service.shopId, limit: 1 })).orders;
  const month = first?.month ?? '';
  expect((await reconciled(it.bridge, connected, { shop, dryRun: true, month })).unchecked).toEqual([`the service has no file of ${month} yet`]);
  await using own = await openService(it.bridge.app.core);
  const making = {
    shopId: service.shopId,
    month,
    now: true,
    by: BY,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onWaiting: () => undefined,
  };
  expect((await makeMonth({ ...own.audit, now: () => new Date(`${addMonths(month, 1)}-05T10:00:00Z`) }, making)).kind).toBe('generated');
  const sides = { orders: 2, total: '96.00' };
  expect(await reconciled(it.bridge, connected, { shop, month })).toMatchObject({
    ...{ store: sides, ledger: sides, service: sides, file: sides },
    differences: [],
  });

  await told(orderOf('3'));
  await told(edited('2', 5, '30.00'));
  await it.bridge.send(connected, 'order.updated', { order: shop.save(refundedInFull('1', 6)) });
  await it.bridge.settled(connected, '1', 'removed');
  const left = await reconciled(it.bridge, connected, { shop, month });
  expect(left.kinds).toEqual(['#1 not-in-file', '2 not-in-file', '3 not-in-file']);
  expect(left).toMatchObject({ service: { orders: 2, total: '78.00' }, file: sides });
});
