import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postShopify, shopifyBody } from '../../support/samples/signed-webhooks.ts';
import { type StoreApi, startStoreApi } from '../../support/servers/store-api.ts';
import { CliStores, type Connection, refundedInFull, twoRates, wooAnswer } from '../../support/worlds/cli-stores.ts';
import { until } from '../../support/worlds/settled.ts';
import { PAID } from '../../support/worlds/shopify-shop.ts';

let stores: CliStores;
let store: StoreApi;
let lastOrder = 800;

beforeAll(async () => {
  stores = await CliStores.start();
  store = await startStoreApi((path) => wooAnswer(path, 'store-1'));
});
afterAll(async () => {
  await stores[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

/** A number that no other test of this file uses. */
function newOrder(): string {
  lastOrder += 1;
  return String(lastOrder);
}

function order(id: string, values: Record<string, unknown> = {}): Record<string, unknown> {
  return { id: Number(id), number: id, ...values };
}

/** When orders of a test can have been paid, as the store writes it. */
function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19);
}

async function totalAtService(shop: string, id: string): Promise<number[]> {
  const orders = await stores.program.json<{ internalId: string; total: number }[]>(['service', 'orders', 'list', '--shop', shop]);
  return orders.filter(({ internalId }) => internalId === id).map(({ total }) => total);
}

describe('the same store', () => {
  test('A5: the address of the store changed before it was connected again, a refund then finds the order and removes its record', async () => {
    const shop = await stores.shop();
    const id = newOrder();
    const first = await stores.recorded(shop, { store: 'http://moved.bg/', id });
    await stores.disconnect(first);

    const second = await stores.connect(shop, ['--store-url', 'https://www.moved.bg']);
    await stores.deliver(second, 'https://www.moved.bg', order(id, refundedInFull));

    expect(second).toMatchObject({ connectionId: first.connectionId, earlierStore: { is: 'same', connectionId: first.connectionId } });
    expect(await stores.settled(id, 'removed')).toHaveLength(1);
    expect(await totalAtService(shop, id)).toEqual([]);
  });

  test('A5: an edit after it was connected again replaces the record, and conflicts with nothing', async () => {
    const shop = await stores.shop();
    const id = newOrder();
    const first = await stores.recorded(shop, { store: 'http://moved.bg/', id });
    await stores.disconnect(first);

    // Nothing names the store now: its first delivery does.
    const second = await stores.connect(shop);
    await stores.deliver(second, 'https://www.moved.bg/en', order(id, { ...twoRates, date_modified_gmt: '2026-11-21T05:00:00' }));
    const edited = async () => (await stores.settled(id, 'recorded'))[0];
    await until(async () => (await edited())?.recordedTotal === '34.90', { what: 'the edit to be recorded' });

    expect(second).toMatchObject({ earlierStore: { is: 'undecided', connectionId: first.connectionId } });
    expect(await edited()).toMatchObject({ connectionId: second.connectionId });
    expect(await totalAtService(shop, id)).toEqual([34.9]);
  });

  test('live 4: a store at another address is known by its own id, and saving an old order changes nothing', async () => {
    const shop = await stores.shop();
    const id = newOrder();
    const { port } = new URL(store.url);
    const keys = ['--consumer-key', 'ck', '--consumer-secret', 'cs'];
    const first = await stores.recorded(shop, { store: `https://localhost:${port}`, id, flags: ['--store-url', `http://localhost:${port}`, ...keys] });
    await stores.disconnect(first);

    const second = await stores.connect(shop, ['--store-url', store.url, ...keys]);
    await stores.deliver(second, `https://127.0.0.1:${port}`, order(id, { date_modified_gmt: '2026-11-21T05:00:00' }));
    await stores.deliver(second, `https://127.0.0.1:${port}`, order(newOrder()));
    await stores.settled(String(lastOrder), 'recorded');

    expect(second.connectionId).toBe(first.connectionId);
    expect(await stores.settled(id, 'recorded')).toHaveLength(1);
    expect(await stores.program.json(['review'])).toMatchObject({ orders: [], deliveries: [] });
  });

  test('an own shop is the same with a new name and a new secret', async () => {
    const shop = await stores.shop();
    const secret = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
    const flags = (name: string, byte: number) => ['--platform', 'standard', '--name', name, '--secret', secret(byte), '--compliance-shop', shop];
    const first = await stores.program.json<Connection>(['connect', ...flags('corner', 1)]);
    await stores.disconnect(first);

    expect(await stores.program.json(['connect', ...flags('Corner anew', 2)])).toMatchObject({ connectionId: first.connectionId });
  });

  test('several earlier stores: the one that matches goes on', async () => {
    const shop = await stores.shop();
    const [id, other] = [newOrder(), newOrder()];
    const first = await stores.recorded(shop, { store: 'https://first.example', id });
    await stores.disconnect(first);
    const second = await stores.recorded(shop, { store: 'https://second.example', id: other, flags: ['--store-url', 'https://second.example'] });
    await stores.disconnect(second);

    const unclear = await stores.program.run([
      'connect',
      '--platform',
      'woocommerce',
      '--name',
      'x',
      '--secret',
      'long enough',
      '--compliance-shop',
      shop,
      '--same-store',
    ]);
    const again = await stores.connect(shop, ['--store-url', 'https://first.example']);

    expect(unclear).toMatchObject({ code: 1, err: expect.stringMatching(/not clear which earlier store[\s\S]*second\.example[\s\S]*first\.example/) });
    expect(again.connectionId).toBe(first.connectionId);
    await stores.disconnect(again);
    expect((await stores.connect(shop, ['--same-store', second.connectionId])).connectionId).toBe(second.connectionId);
  });

  test('orders that another connection of the store took go on with it', async () => {
    const shop = await stores.shop();
    const id = newOrder();
    const first = await stores.recorded(shop, { store: 'https://split.example', id });
    await stores.disconnect(first);
    // A second connection of the same store.
    const { pool } = stores.core;
    await pool.query(
      `insert into connections (id, platform, name, store, shop_id, destination_id, secrets, settings, record_from, closed_at)
       select 'c_later', platform, name, store, shop_id, destination_id, secrets, settings, record_from, now() from connections where id = $1`,
      [first.connectionId],
    );

    const again = await stores.connect(shop, ['--same-store']);

    expect(again.connectionId).toBe('c_later');
    expect(await stores.settled(id, 'recorded')).toMatchObject([{ connectionId: 'c_later' }]);
  });
});

describe('another store', () => {
  test('B4: another store of the same platform and shop begins now, whatever the start of the earlier one', async () => {
    const shop = await stores.shop();
    const secret = 'hush-hush';
    const connect = (domain: string, ...flags: string[]) =>
      stores.program.json<Connection>(['connect', '--platform', 'shopify', '--name', domain, '--secret', secret, '--compliance-shop', shop, ...flags]);
    await stores.program.writeJson('shopify.json', {
      recordFrom: '2026-01-15T00:00:00Z',
      payments: { shopify_payments: { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Shopify Payments' } },
    });
    const old = await connect('old.myshopify.com', '--settings', 'shopify.json');
    await stores.disconnect(old);

    const began = Date.now();
    const fresh = await connect('brand-new.myshopify.com');
    await postShopify(fresh.webhookUrl, { topic: 'orders/updated', body: shopifyBody(PAID), secret, shop: 'brand-new.myshopify.com' });

    expect(fresh).toMatchObject({ earlierStore: { is: 'other', connectionId: old.connectionId }, gap: null });
    expect(fresh.connectionId).not.toBe(old.connectionId);
    expect(Date.parse(fresh.recordFrom)).toBeGreaterThan(began - 60_000);
    await until(async () => (await stores.program.json<{ state: string }[]>(['orders', '--connection', fresh.connectionId]))[0]?.state === 'ignored', {
      what: 'the old order to be ignored',
    });
  });

  test('B4: a first delivery from another host begins now, too', async () => {
    const shop = await stores.shop();
    const first = await stores.recorded(shop, { store: 'https://old.example', id: newOrder() });
    await stores.disconnect(first);

    const second = await stores.connect(shop);
    const id = newOrder();
    await stores.deliver(second, 'https://brand-new.example', order(id, { date_paid_gmt: hoursAgo(1) }));

    expect(second.earlierStore).toEqual({ is: 'undecided', connectionId: first.connectionId });
    await stores.settled(id, 'ignored');
    expect(await stores.core.connections.find(second.connectionId)).toMatchObject({ store: 'https://brand-new.example', predecessor: null, gaps: [] });
  });

  test('a shop that was built anew at the same address keeps its orders apart, if that is said', async () => {
    const shop = await stores.shop();
    const id = newOrder();
    const first = await stores.recorded(shop, { store: 'https://again.example', id });
    await stores.disconnect(first);

    const second = await stores.connect(shop, ['--store-url', 'https://again.example', '--new-store', '--settings', 'settings.json']);
    await stores.deliver(second, 'https://again.example', order(id, { total: '0.00', line_items: [] }));
    await until(async () => (await stores.program.json<object[]>(['orders', '--connection', second.connectionId])).length === 1, { what: 'its own order' });

    expect(await stores.core.connections.find(second.connectionId)).toMatchObject({ store: 'https://again.example#2' });
    expect(await totalAtService(shop, id)).toEqual([24]);
  });

  test('same and new at once are refused, and a store that never was is not the same', async () => {
    const shop = await stores.shop();
    const connect = ['connect', '--platform', 'woocommerce', '--name', 'x', '--secret', 'long enough', '--compliance-shop', shop];

    expect((await stores.program.run([...connect, '--same-store', '--new-store'])).err).toContain('cannot be used with');
    expect((await stores.program.run([...connect, '--same-store'])).err).toContain('no disconnected store of this platform');
  });
});
